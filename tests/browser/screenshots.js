// Makes the screenshots of the documentation, docs/page-*.png:
//
//     NOYES=target/debug/noyes CHROMIUM=$(command -v chromium) node tests/browser/screenshots.js

import { ARROW, hintFor, link, start, stop, until, withPage } from "./harness.js";

const BOARD = "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"; // 38 moves
const OPPOSITE = { L: "R", R: "L", U: "D", D: "U" };
const view = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const save = (page, name) => page.screenshot({ path: new URL(`../../docs/page-${name}.png`, import.meta.url).pathname });
const optimum = (page, prefix, n) => page.waitForFunction(([id, left]) => document.querySelector(id).textContent === left, [`#${prefix}-optimal`, String(n)], { timeout: 120_000 });

await start();
while (!(await hintFor(BOARD)).proven) await new Promise((resolve) => setTimeout(resolve, 1000)); // tables are built once

// Twenty moves with two detours, and the mark of the last one.
await withPage(link(BOARD), view, async (page) => {
  await optimum(page, "t", 38);
  const { plan } = await hintFor(BOARD);
  let left = 38;
  const press = async (letter, by) => {
    await page.keyboard.press(ARROW[letter]);
    await optimum(page, "t", (left += by));
  };
  for (let i = 0; i < 18; i++) {
    await press(plan[i], -1);
    if (i !== 4 && i !== 11) continue;
    await press(OPPOSITE[plan[i]], 1);
    await press(plan[i], -1);
  }
  await page.waitForTimeout(250);
  await save(page, "tiles");
});

await withPage("sokoban", view, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  await page.selectOption("#s-level", "12");
  await optimum(page, "s", 21);
  await page.evaluate(() => document.querySelector("#s-dead").click());
  for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await page.locator('[aria-label^="box"]').last().click();
  await page.waitForTimeout(600);
  await page.mouse.move(5, 5);
  await save(page, "sokoban");
});

await withPage("race", { ...view, viewport: { width: 1280, height: 1150 } }, async (page) => {
  await page.click("#r-start");
  await page.waitForFunction(() => !document.querySelector("#r-download").disabled, null, { timeout: 120_000 });
  await page.waitForTimeout(500);
  await save(page, "race");
});

await stop();
