// Speed sessions: tiles move on press, averages as speed solvers count them, inspection, own keys, CSV.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { ARROW, counts, findings, hintFor, shot, start, stop, text, until, withPage } from "./harness.js";

/** Sessions and choices from an earlier visit. */
const kept = (solves, size = "3x3", more = {}) => ({ prepare: (page) => page.addInitScript((values) => {
  for (const [name, value] of Object.entries(values)) localStorage.getItem(`noyes.${name}`) ?? localStorage.setItem(`noyes.${name}`, JSON.stringify(value));
}, { speed: { [size]: solves }, "speed-size": size, ...more }) });
const solve = (ms) => ({ ms, moves: 40, at: 1700000000000, board: "8 6 7/2 5 4/3 0 1" });
const SOLVES = Array.from({ length: 100 }, (_, i) => solve(1000 * (1 + ((i * 37) % 100)))); // 1 s to 100 s in some order

const boardOf = (page) => page.evaluate(() => [...document.querySelectorAll("#v-board [role=row]")].map((row) => [...row.querySelectorAll(".tile")].map((tile) => tile.innerText.trim() || "0").join(" ")).join("/"));
const play = async (page) => {
  const { plan } = await hintFor(await boardOf(page));
  for (const letter of plan) await page.keyboard.press(ARROW[letter]);
  return plan;
};
const figures = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#v-figures tbody tr")].map((row) => [...row.children].map((cell) => cell.innerText)).map(([name, ...values]) => [name, values])));

before(start);
after(stop);

test("solves are timed in milliseconds, listed, and survive a reload", () => withPage("speed", kept([]), async (page) => {
  const plan = await play(page);
  await page.waitForSelector("#v-message.won");
  const shown = await text(page, "#v-time");
  assert.match(shown, /^\d+\.\d{3}$/);
  assert.notEqual(shown, "0.000");
  await page.waitForTimeout(200);
  assert.equal(await text(page, "#v-time"), shown, "the clock has stopped");
  assert.equal((await figures(page)).Single[0], shown);
  assert.match(await text(page, "#v-solves tr"), new RegExp(`^1\\s+${shown}\\s+${plan.length}\\s`));
  await page.keyboard.press(" ");
  assert.equal(await page.locator("#v-board.won").count(), 0, "the space bar deals the next board");
  await page.reload();
  await page.waitForSelector("#v-solves tr");
  assert.equal((await figures(page)).Single[0], shown);
}));

test("averages leave out the best and the worst 5 %, at least one of each", () => withPage("speed", kept(SOLVES), async (page) => {
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const seconds = SOLVES.map(({ ms }) => ms / 1000);
  const expected = (n, cut, end = 100) => mean(seconds.slice(end - n, end).sort((a, b) => a - b).slice(cut, -cut));
  const of = (value) => value.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  const shown = await figures(page);
  for (const [n, cut] of [[5, 1], [12, 1], [50, 3], [100, 5]]) {
    assert.ok(Math.abs(of(shown[`ao${n}`][0]) - expected(n, cut)) < 0.001, `ao${n}: ${shown[`ao${n}`][0]} instead of ${expected(n, cut)}`);
    const all = Array.from({ length: 101 - n }, (_, i) => expected(n, cut, n + i));
    assert.ok(Math.abs(of(shown[`ao${n}`][1]) - Math.min(...all)) < 0.001, `best ao${n}`);
  }
  assert.deepEqual(shown.Single, [`1:04.000`, "1.000"]);
  assert.match(await text(page, "#v-count"), /100 solves, mean 50\.500/);
}));

test("a solve can be deleted and restored, and a session cleared", () => withPage("speed", kept([solve(1000), solve(2000), solve(3000)]), async (page) => {
  await page.click('[aria-label="Delete solve 3"]');
  assert.deepEqual((await figures(page)).Single, ["2.000", "1.000"]);
  await page.click('#v-message button:has-text("Restore")');
  assert.deepEqual((await figures(page)).Single, ["3.000", "1.000"]);
  await page.click("#v-clear");
  assert.deepEqual((await figures(page)).Single, ["–", "–"]);
  assert.ok(await page.isDisabled("#v-csv"));
  await page.selectOption("#v-size", "4x4");
  assert.equal(await page.locator("#v-message button").count(), 0, "nothing to restore in this size");
  assert.match(await text(page, "#v-count"), /4×4, 0 solves/);
}));

test("a tile slides when the pointer or the key goes down, and a held key does not repeat", () => withPage("speed", kept([]), async (page) => {
  const movable = () => page.locator('#v-board .tile[aria-label*="can slide"]').first().boundingBox();
  const box = await movable();
  const first = await boardOf(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const second = await boardOf(page);
  assert.notEqual(second, first, "down is enough");
  await page.mouse.up();
  assert.equal(await boardOf(page), second, "up does nothing");
  const { plan } = await hintFor(second);
  await page.keyboard.down(ARROW[plan[0]]);
  const third = await boardOf(page);
  assert.notEqual(third, second);
  await page.keyboard.down(ARROW[plan[0]]);
  await page.keyboard.up(ARROW[plan[0]]);
  assert.equal(await boardOf(page), third);
  await page.keyboard.press(" ");
  assert.equal(await boardOf(page), third, "the space bar does not end a game that has begun");
  await page.keyboard.press("Escape");
  assert.notEqual(await boardOf(page), third);
  assert.match(await text(page, "#v-message"), /does not count/);
  assert.equal(await page.locator("#v-solves tr").count(), 0);
}));

test("the clock starts with the first move, or when the inspection ends", () => withPage("speed", kept([]), async (page) => {
  await page.waitForTimeout(300);
  assert.equal(await text(page, "#v-time"), "0.000");
  await page.selectOption("#v-inspection", "8");
  await until(page, () => /^[1-8]$/.test(document.querySelector("#v-time").textContent));
  assert.equal(await text(page, "#v-state"), "inspection");
  await until(page, () => /^\d+\.\d{3}$/.test(document.querySelector("#v-time").textContent)); // 8 s later
  await page.keyboard.press(" ");
  await until(page, () => Number(document.querySelector("#v-time").textContent) > 0.3);
  await page.selectOption("#v-inspection", "15");
  await page.reload();
  await page.waitForSelector("#v-board .tile");
  assert.equal(await page.inputValue("#v-inspection"), "15", "the choice is kept");
  const { plan } = await hintFor(await boardOf(page));
  await page.keyboard.press(ARROW[plan[0]]);
  assert.match(await text(page, "#v-time"), /^\d+\.\d{3}$/, "the first move ends the inspection");
}));

test("keys can be chosen freely and are kept", () => withPage("speed", kept([]), async (page) => {
  await page.click('[aria-label="Tile up: add a key"]');
  assert.equal(await text(page, '[data-action="U"]'), "Press a key");
  await page.keyboard.press("i");
  await counts(page, '[aria-label="Tile up: remove I"]', 1);
  await page.click('[aria-label="Tile left: add a key"]');
  await page.keyboard.press("w"); // was up
  assert.equal(await page.locator('[aria-label="Tile up: remove W"]').count(), 0);
  await page.click('[aria-label="Tile down: remove ↓"]');
  await page.reload();
  await page.waitForSelector("#v-board .tile");
  const before = await boardOf(page);
  const { plan } = await hintFor(before);
  const own = { U: "s", L: "d", R: "w", D: "i" }; // tiles go against the blank
  await page.keyboard.press("ArrowDown");
  assert.equal(await boardOf(page), before, "this key was removed");
  for (const letter of plan) await page.keyboard.press(own[letter]);
  await page.waitForSelector("#v-message.won");
  await page.click('button:has-text("Usual keys")');
  await counts(page, '[aria-label="Tile up: remove W"]', 1);
}));

test("the session is exported as CSV", () => withPage("speed", kept([solve(61234), solve(2000)]), async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#v-csv")]);
  assert.equal(download.suggestedFilename(), "noyes-3x3.csv");
  const lines = (await readFile(await download.path(), "utf8")).split("\n");
  assert.equal(lines[0], "number,date,seconds,moves,moves_per_second,board");
  assert.equal(lines[1], "1,2023-11-14T22:13:20.000Z,61.234,40,0.65,8 6 7/2 5 4/3 0 1");
  assert.equal(lines.length, 4);
}));

test("nonsense in the storage is ignored", () => withPage("speed", kept([null, { ms: "x" }, { ms: 5 }, solve(1000)], "3x3", { bindings: { w: "<b>", ArrowUp: 7 } }), async (page) => {
  assert.deepEqual((await figures(page)).Single, ["1.000", "1.000"]);
  await play(page);
  await page.waitForSelector("#v-message.won");
}));

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["desktop", { width: 1366, height: 768 }], ["phone", { width: 390, height: 844 }], ["side", { width: 844, height: 390 }]]) {
    test(`axe finds nothing serious: speed, ${name}, ${colorScheme}`, () => withPage("speed", { colorScheme, viewport, ...kept(SOLVES, "4x4") }, async (page) => {
      await page.waitForTimeout(300);
      assert.deepEqual(await findings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is too wide");
      await shot(page, `speed-${name}-${colorScheme}`);
    }));
  }
}
