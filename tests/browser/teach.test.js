// "Teach me": the human method, stage by stage.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { counts, findings, shot, start, stop, text, until, withPage } from "./harness.js";

const BOARD = "teach?board=6-8-3-7.2-5-4-12.10-15-0-11.1-9-14-13";
const cells = (page) => page.evaluate(() => [...document.querySelectorAll("#l-board .tile")].map((tile) => Number(tile.innerText.trim() || 0)));
const outlined = (page) => page.evaluate(() => [...document.querySelectorAll("#l-board .tile.hinted")].map((tile) => Number(tile.innerText)).sort((a, b) => a - b));

before(start);
after(stop);

test("each stage brings its tiles home and keeps those of the stages before", () => withPage(BOARD, {}, async (page) => {
  const groups = [[1], [2], [3, 4], [5], [6], [7, 8], [9, 13], [10, 14], [11, 12, 15]];
  await counts(page, "#l-stages li", groups.length);
  assert.deepEqual(await outlined(page), [1]);
  assert.match(await text(page, "#l-title"), /^1\. Tile 1$/);
  assert.match(await text(page, "#l-words"), /row 1, column 1/);
  const home = [];
  for (const [i, tiles] of groups.entries()) {
    if ((await text(page, `#l-stages li:nth-child(${i + 1})`)).includes("in place")) continue;
    assert.deepEqual(await outlined(page), tiles);
    await page.click("#l-next");
    const now = await cells(page);
    home.push(...groups.slice(0, i + 1).flat());
    for (const tile of home) assert.equal(now[tile - 1], tile, `tile ${tile} is home after stage ${i + 1}`);
  }
  assert.equal(await text(page, "#l-title"), "Solved");
  assert.ok(await page.isDisabled("#l-next"));
  await page.click("#l-previous");
  assert.match(await text(page, "#l-title"), /^9\. Tiles 11, 12 and 15, the rest$/);
}));

test("a stage is played and stops at its end; stages can be chosen, also by keyboard", () => withPage(BOARD, {}, async (page) => {
  await page.selectOption("#l-playback select", "40");
  await page.click("#l-play");
  await until(page, () => document.querySelector("#l-title").textContent.startsWith("2."));
  await page.waitForTimeout(400);
  assert.match(await text(page, "#l-title"), /^2\. Tile 2$/, "it waits for the player");
  await page.click("#l-stages li:nth-child(3) button");
  assert.deepEqual(await outlined(page), [3, 4]);
  assert.match(await text(page, "#l-words"), /4 in the place of 3, 3 right below it, and the blank in the corner/);
  await page.locator("body").press("ArrowRight");
  assert.match(await text(page, "#l-title"), /^4\./);
  await page.locator("body").press("ArrowLeft");
  assert.match(await text(page, "#l-title"), /^3\./);
  await page.click('#l-playback [aria-label="Play"]');
  await until(page, () => document.querySelector("#l-title").textContent === "Solved");
}));

test("a bad link says what is wrong, and another board can be learnt", () => withPage(BOARD, {}, async (page) => {
  await page.evaluate(() => (location.hash = "teach?board=1-2.3-q"));
  await until(page, () => /is not a tile/.test(document.querySelector("#l-words").textContent));
  assert.equal(await text(page, "#l-title"), "No lesson");
  await page.click("#l-another");
  await page.waitForSelector("#l-stages li");
}));

test("the board of the game can be learnt, and an unsolvable one says why", () => withPage("tiles?board=8-6-7.2-5-4.3-0-1", {}, async (page) => {
  await page.click("#t-teach");
  await page.waitForSelector("#l-stages li");
  assert.deepEqual(await cells(page), [8, 6, 7, 2, 5, 4, 3, 0, 1]);
  assert.equal(await page.inputValue("#l-size"), "3x3");
  await page.evaluate(() => (location.hash = "teach?board=1-2-3.4-5-6.8-7-0"));
  await until(page, () => /cannot be solved/.test(document.querySelector("#l-words").textContent));
  await page.click("#l-another");
  await page.waitForSelector("#l-stages li");
}));

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["desktop", { width: 1366, height: 768 }], ["phone", { width: 390, height: 844 }], ["side", { width: 844, height: 390 }]]) {
    test(`axe finds nothing serious: teach, ${name}, ${colorScheme}`, () => withPage(BOARD, { colorScheme, viewport }, async (page) => {
      await page.waitForTimeout(300);
      assert.deepEqual(await findings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is too wide");
      await shot(page, `teach-${name}-${colorScheme}`);
    }));
  }
}
