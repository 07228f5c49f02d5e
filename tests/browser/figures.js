// Measures the page in Chromium: bytes, first paint, and frames while tiles slide on a 10×10 board. Prints one line for each.
//
//     NOYES=target/debug/noyes CHROMIUM=$(command -v chromium) node tests/browser/figures.js

import { link, start, stop, withPage } from "./harness.js";

const SLIDES = 60;
const size = 10;
// Three tiles of the first row are out of place, so that the board is never solved on the way.
const rows = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => (y === 0 && x < 3 ? [2, 3, 1][x] : (y * size + x + 1) % (size * size))).join(" "));

await start();

/** Starts a trace of Chromium. Returns a function that ends it and resolves to its events and the tasks of the page's thread. */
async function trace(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["loading", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"] } });
  return async () => {
    const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await ended;
    const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`);
    // Processor time in ms, because other programs on the machine take their turns, too.
    const tasks = events.filter(({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && mains.includes(`${pid} ${tid}`)).map(({ ts, tdur, pid }) => ({ ts, pid, ms: (tdur ?? 0) / 1000 }));
    return { events, tasks };
  };
}

/** Tasks and times between frames while tiles slide, longest first, in ms. */
async function slide(page) {
  await page.waitForTimeout(4000); // hints and tables come first
  const end = await trace(page);
  await page.evaluate(() => {
    globalThis.gaps = [];
    let before = performance.now();
    const beat = (now) => {
      globalThis.gaps.push(now - before);
      before = now;
      requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);
  });
  for (let i = 0; i < SLIDES; i++) {
    await page.keyboard.press(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"][i % 4]);
    await page.waitForTimeout(180);
  }
  const gaps = await page.evaluate(() => globalThis.gaps.slice(1).sort((a, b) => b - a));
  const tasks = (await end()).tasks.map(({ ms }) => ms).sort((a, b) => b - a);
  return { gaps, tasks };
}

const figures = [];
let end = null;
const prepare = async (page) => {
  end = await trace(page);
};
await withPage("tiles", { viewport: { width: 1366, height: 768 }, prepare }, async (page) => {
  await page.waitForTimeout(1500);
  const { events, tasks } = await end();
  const first = events.find(({ name }) => name === "firstContentfulPaint");
  const work = tasks.filter(({ ts, pid }) => pid === first.pid && ts < first.ts).reduce((sum, { ms }) => sum + ms, 0);
  const { paint, kinds } = await page.evaluate(() => {
    const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).filter(({ name }) => !name.includes("/api/"));
    const sum = (list) => list.reduce((total, { decodedBodySize, encodedBodySize }) => [total[0] + decodedBodySize, total[1] + encodedBodySize], [0, 0]);
    const fonts = entries.filter(({ name }) => name.endsWith(".woff2"));
    return { paint: performance.getEntriesByName("first-contentful-paint")[0].startTime, kinds: { page: sum(entries.filter((each) => !fonts.includes(each))), fonts: sum(fonts), files: entries.length } };
  });
  figures.push(["first contentful paint", `${Math.round(paint)} ms; ${Math.round(work)} ms of processor time in the page's thread`]);
  figures.push(["bytes to open tiles, as sent (unpacked)", `${kinds.page[1]} (${kinds.page[0]}), and ${kinds.fonts[1]} of font, in ${kinds.files} files`]);
  const { width } = await page.locator("#t-board").boundingBox();
  figures.push(["board at 1366x768", `${Math.round(width)} px`]);
});
await withPage(link(rows.join("/")), { viewport: { width: 1366, height: 768 } }, async (page) => {
  const { gaps, tasks } = await slide(page);
  const late = gaps.filter((gap) => gap > 20).length;
  figures.push([`longest task in ${SLIDES} slides on 10x10, processor time`, `${tasks.slice(0, 3).map((ms) => ms.toFixed(1)).join(", ")} ms`]);
  figures.push([`frames over 20 ms in ${SLIDES} slides`, `${late} of ${gaps.length}; longest ${gaps[0].toFixed(1)} ms`]);
});
for (const [name, figure] of figures) console.log(`${name}: ${figure}`);
await stop();
