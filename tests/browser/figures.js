// Measures the page in Chromium: bytes, first paint, and frames while tiles slide on a 10×10 board. Prints one line for each.
//
//     NOYES=target/debug/noyes CHROMIUM=$(command -v chromium) node tests/browser/figures.js

import { link, start, stop, withPage } from "./harness.js";

const SLIDES = 60;
const size = 10;
// Three tiles of the first row are out of place, so that the board is never solved on the way.
const rows = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => (y === 0 && x < 3 ? [2, 3, 1][x] : (y * size + x + 1) % (size * size))).join(" "));

await start();

/** The work of the page's own thread in each frame while tiles slide, from Chromium's trace, in ms. */
async function slide(page, context) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await page.waitForTimeout(4000); // hints and tables come first
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline.frame", "toplevel", "disabled-by-default-devtools.timeline"] } });
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
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await ended;
  const own = events.filter(({ name, ph }) => name === "RunTask" && ph === "X");
  const main = events.find(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  // Processor time, because other programs on the machine also take their turns.
  const tasks = own.filter(({ tid, pid }) => !main || (tid === main.tid && pid === main.pid)).map(({ tdur, dur }) => (tdur ?? dur) / 1000).sort((a, b) => b - a);
  return { gaps, tasks };
}

const figures = [];
await withPage("tiles", { viewport: { width: 1366, height: 768 } }, async (page) => {
  await page.waitForTimeout(1500);
  const { paint, kinds } = await page.evaluate(() => {
    const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).filter(({ name }) => !name.includes("/api/"));
    const sum = (list) => list.reduce((total, { decodedBodySize, encodedBodySize }) => [total[0] + decodedBodySize, total[1] + encodedBodySize], [0, 0]);
    const fonts = entries.filter(({ name }) => name.endsWith(".woff2"));
    return { paint: performance.getEntriesByName("first-contentful-paint")[0].startTime, kinds: { page: sum(entries.filter((each) => !fonts.includes(each))), fonts: sum(fonts), files: entries.length } };
  });
  figures.push(["first contentful paint", `${Math.round(paint)} ms`]);
  figures.push(["bytes to open tiles, as sent (unpacked)", `${kinds.page[1]} (${kinds.page[0]}), and ${kinds.fonts[1]} of font, in ${kinds.files} files`]);
  const { width } = await page.locator("#t-board").boundingBox();
  figures.push(["board at 1366x768", `${Math.round(width)} px`]);
});
await withPage(link(rows.join("/")), { viewport: { width: 1366, height: 768 } }, async (page, context) => {
  const { gaps, tasks } = await slide(page, context);
  const late = gaps.filter((gap) => gap > 20).length;
  figures.push([`longest task in ${SLIDES} slides on 10x10, processor time`, `${tasks.slice(0, 3).map((ms) => ms.toFixed(1)).join(", ")} ms`]);
  figures.push([`frames over 20 ms in ${SLIDES} slides`, `${late} of ${gaps.length}; longest ${gaps[0].toFixed(1)} ms`]);
});
for (const [name, figure] of figures) console.log(`${name}: ${figure}`);
await stop();
