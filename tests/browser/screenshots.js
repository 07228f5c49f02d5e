// Makes the screenshots of the documentation, docs/page-*.png:
//
//     NOYES=target/debug/noyes CHROMIUM=$(command -v chromium) node tests/browser/screenshots.js
//
// Where Python has Pillow, they are reduced to 256 colours, which makes them less than half as large.

import { spawnSync } from "node:child_process";
import { ARROW, hintFor, link, start, stop, until, withPage } from "./harness.js";

const BOARD = "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"; // 38 moves
const OPPOSITE = { L: "R", R: "L", U: "D", D: "U" };
const WALK = { l: "ArrowLeft", u: "ArrowUp", r: "ArrowRight", d: "ArrowDown" };
const DAY = "2026-11-16";
const view = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const dark = { ...view, colorScheme: "dark" };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };

const optimum = (page, prefix, n) => page.waitForFunction(([id, left]) => document.querySelector(id).textContent === left, [`#${prefix}-optimal`, String(n)], { timeout: 120_000 });

const SMALLER = `
import sys
from PIL import Image
Image.open(sys.argv[1]).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True)`;
async function save(page, name) {
  const path = new URL(`../../docs/page-${name}.png`, import.meta.url).pathname;
  await page.screenshot({ path });
  spawnSync("python3", ["-c", SMALLER, path]);
}

/** Plays twenty-two moves with two detours, so that a mark of the last one is shown. */
async function play(page) {
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
}

/** Opens a level by its title and makes the first pushes of an optimal plan. */
async function push(page, title, pushes) {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  const value = await page.$$eval("#s-level option", (all, name) => all.find((option) => option.textContent.endsWith(`. ${name}`)).value, title);
  await page.selectOption("#s-level", value);
  const par = Number((await page.locator("#s-par-pushes").textContent()).match(/\d+/)[0]);
  await optimum(page, "s", par);
  const puzzle = await page.evaluate(async (index) => (await (await import("/sokoban/levels.js")).collection())[index].xsb, value);
  const { plan } = await hintFor(puzzle, { objective: "pushes" });
  let left = pushes;
  for (const letter of plan) {
    if (left === 0) break;
    if (letter === letter.toUpperCase()) left--;
    await page.keyboard.press(WALK[letter.toLowerCase()]);
  }
  await optimum(page, "s", par - pushes);
}

await start();
while (!(await hintFor(BOARD)).proven) await new Promise((resolve) => setTimeout(resolve, 1000)); // tables are built once

for (const [name, look] of [["tiles", view], ["tiles-dark", dark], ["phone", phone]]) {
  await withPage(link(BOARD), look, async (page) => {
    await play(page);
    await save(page, name);
  });
}

// Dead squares are shaded, and a box is selected: dots show where it can go.
await withPage("sokoban", view, async (page) => {
  await push(page, "Drawbridge", 6);
  await page.evaluate(() => document.querySelector("#s-dead").click());
  await page.locator('[aria-label^="box"]').first().click();
  await page.waitForTimeout(600);
  await page.mouse.move(5, 5);
  await save(page, "sokoban");
});

// A hint: which box, and which way.
await withPage("sokoban", dark, async (page) => {
  await push(page, "Customs House", 14);
  for (const rung of [/comes next/, /push the outlined box/]) {
    await page.click("#s-hint");
    await page.waitForFunction((words) => new RegExp(words).test(document.querySelector("#s-message").textContent), rung.source);
  }
  await page.waitForTimeout(1200);
  await page.mouse.move(5, 5);
  await save(page, "sokoban-dark");
});

// The day's puzzles after a streak of two days.
const result = { tiles: { cost: 60, par: 52, ms: 91000, help: false, counts: true } };
const solved = { "2026-11-14": result, "2026-11-15": result };
const prepare = async (page) => {
  await page.clock.setFixedTime(new Date(`${DAY}T08:30:00Z`));
  await page.addInitScript((kept) => localStorage.setItem("noyes.daily", kept), JSON.stringify(solved));
};
await withPage("daily", { ...view, viewport: { width: 1280, height: 480 }, prepare }, async (page) => {
  await until(page, () => /Par: \d+ moves/.test(document.querySelector("#d-tiles").textContent));
  await save(page, "daily");
});

await withPage("race", { ...view, viewport: { width: 1280, height: 1150 } }, async (page) => {
  await page.click("#r-start");
  await page.waitForFunction(() => !document.querySelector("#r-download").disabled, null, { timeout: 120_000 });
  await page.waitForTimeout(500);
  await save(page, "race");
});

await stop();
