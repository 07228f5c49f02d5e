// Tiles in a real browser: keys, clicks and drags, hints, solving, sharing, and offline use.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { ARROW, boardOf, hintFor, link, shot, start, stop, text, until, withPage } from "./harness.js";

const EASY = "1 2 3/4 0 6/7 5 8"; // 2 moves
const MIDDLE = "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"; // 38 moves

before(start);
after(stop);

test("winning a shuffled 3x3 board stops the clock", () => withPage("tiles", {}, async (page) => {
  await page.click('[data-size="3x3"]');
  await page.waitForTimeout(300);
  assert.equal(await text(page, "#t-time"), "0:00.0", "the clock waits for the first move");
  const { plan } = await hintFor(await boardOf(page));
  for (const letter of plan) await page.keyboard.press(ARROW[letter]);
  assert.match(await text(page, "#t-message"), /You won!/);
  assert.equal(await text(page, "#t-moves"), String(plan.length));
  const stopped = await text(page, "#t-time");
  assert.notEqual(stopped, "0:00.0");
  await page.waitForTimeout(400);
  assert.equal(await text(page, "#t-time"), stopped, "the clock has stopped");
  assert.match(await text(page, "#t-stats"), /Solves\s+1/);
  await until(page, () => document.querySelector("#t-verdict").textContent === "Not one move too many.");
  await shot(page, "tiles-won");
}));

test("the clock can start at the shuffle, and the choice is kept", () => withPage("tiles", {}, async (page) => {
  await page.check("#t-clock");
  await page.click('[data-size="3x3"]');
  await until(page, () => document.querySelector("#t-time").textContent > "0:00.2");
  assert.equal(await text(page, "#t-moves"), "0");
  const { plan } = await hintFor(await boardOf(page));
  for (const letter of plan) await page.keyboard.press(ARROW[letter]);
  assert.match(await text(page, "#t-message"), /You won!/);
  const stopped = await text(page, "#t-time");
  await page.waitForTimeout(300);
  assert.equal(await text(page, "#t-time"), stopped, "the clock has stopped");
  await page.click("#t-shuffle");
  await until(page, () => document.querySelector("#t-time").textContent > "0:00.2");
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.ok(await page.isChecked("#t-clock"));
  await page.uncheck("#t-clock");
  await page.click("#t-shuffle");
  await page.waitForTimeout(300);
  assert.equal(await text(page, "#t-time"), "0:00.0", "the clock waits for the first move");
}));

test("repeating the best move solves a 4x4 board optimally", () => withPage(link(MIDDLE), {}, async (page) => {
  for (let left = 38; left > 0; left--) {
    await until(page, (n) => document.querySelector("#t-optimal").textContent === String(n), left);
    await page.click("#t-step");
    await until(page, (n) => document.querySelector("#t-moves").textContent === String(n), 39 - left);
  }
  assert.match(await text(page, "#t-message"), /You won! 38 moves.*no plan is shorter.*with help/s);
  assert.match(await text(page, "#t-stats"), /Solves\s+0/, "games with help do not count");
}));

test("hints reveal a little more each time: direction, tile, move", () => withPage(link(EASY), {}, async (page) => {
  await until(page, () => document.querySelector("#t-optimal").textContent === "2");
  await page.click("#t-hint");
  await until(page, () => /slide a tile (up|left)/.test(document.querySelector("#t-message").textContent));
  assert.equal(await page.locator(".tile .arrow").count(), 1);
  await page.click("#t-hint");
  assert.match(await text(page, "#t-message"), /slide tile [56] (up|left) \(proven optimal, 2 to go\)/);
  assert.equal(await page.locator(".tile.hinted").count(), 1);
  await page.click("#t-hint");
  assert.equal(await text(page, "#t-moves"), "1");
  assert.equal(await page.locator(".tile.hinted, .tile .arrow").count(), 0);
}));

test("a hint on a random 5x5 board comes within 2 s and says whether it is proven", () => withPage("tiles", {}, async (page) => {
  const times = []; // the best of three, because a busy machine may be late once
  for (let i = 0; i < 3 && !(times.at(-1) < 2000); i++) {
    await page.click('[data-size="5x5"]');
    const begun = Date.now();
    await page.click("#t-step");
    await until(page, () => document.querySelector("#t-moves").textContent === "1");
    times.push(Date.now() - begun);
    assert.match(await text(page, "#t-message"), /proven optimal|best known plan, \d+ to go, at least \d+ needed/);
  }
  assert.ok(times.at(-1) < 2000, `${times} ms`);
}));

test("undo and redo cover moves and shuffles", () => withPage(link(EASY), {}, async (page) => {
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("a");
  assert.match(await text(page, "#t-message"), /You won!/);
  await page.keyboard.press("u");
  assert.equal(await boardOf(page), "1 2 3/4 5 6/7 0 8");
  await page.keyboard.press("Control+z");
  assert.equal(await boardOf(page), EASY);
  await page.click("#t-redo");
  await page.keyboard.press("Control+y");
  assert.equal(await boardOf(page), "1 2 3/4 5 6/7 8 0");
  await page.click("#t-shuffle");
  const shuffled = await boardOf(page);
  await page.click("#t-undo");
  assert.equal(await boardOf(page), "1 2 3/4 5 6/7 8 0");
  await page.keyboard.press("y");
  assert.equal(await boardOf(page), shuffled);
}));

test("the optimum from here is updated, and each move is marked", () => withPage(link(MIDDLE), {}, async (page) => {
  await until(page, () => document.querySelector("#t-optimal").textContent === "38");
  const { plan } = await hintFor(MIDDLE);
  await page.keyboard.press(ARROW[plan[0]]);
  await until(page, () => document.querySelector("#t-optimal").textContent === "37");
  assert.match(await text(page, "#t-mark"), /= optimal/);
  await page.keyboard.press(ARROW[{ L: "R", R: "L", U: "D", D: "U" }[plan[0]]]);
  await until(page, () => document.querySelector("#t-optimal").textContent === "38");
  assert.match(await text(page, "#t-mark"), /\+2/);
}));

test("a click slides a whole line; dragging and swiping also slide", () => withPage(link("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"), { hasTouch: true }, async (page) => {
  await page.locator('[aria-label^="13,"]').click();
  assert.equal(await boardOf(page), "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15");
  assert.equal(await text(page, "#t-moves"), "3");
  const from = await page.locator('[aria-label^="9,"]').boundingBox();
  await page.mouse.move(from.x + 30, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + from.height * 0.7, { steps: 5 });
  await page.mouse.up();
  assert.equal(await boardOf(page), "1 2 3 4/5 6 7 8/0 10 11 12/9 13 14 15");
  const far = await page.locator('[aria-label^="15,"]').boundingBox();
  await page.mouse.move(far.x + 60, far.y + 30);
  await page.mouse.down();
  await page.mouse.move(far.x - 60, far.y + 30, { steps: 5 });
  await page.mouse.up();
  assert.equal(await boardOf(page), "1 2 3 4/5 6 7 8/10 0 11 12/9 13 14 15");
  await page.locator('[aria-label^="6,"]').tap();
  assert.equal(await boardOf(page), "1 2 3 4/5 0 7 8/10 6 11 12/9 13 14 15");
}));

test("an unsolvable board is explained and can be fixed", () => withPage("tiles", {}, async (page) => {
  await page.click("#t-paste");
  await page.fill("#paste-text", "1 2 3/4 5 6/8 7");
  await page.click('#paste-dialog button[value="ok"]');
  assert.match(await text(page, "#paste-dialog .problem"), /Row 3 has 2 tiles/);
  await page.fill("#paste-text", "1 2 3/4 5 6/8 7 0");
  await page.click('#paste-dialog button[value="ok"]');
  await until(page, () => /cannot be solved.*1 swap \(odd\)/s.test(document.querySelector("#t-message").textContent));
  assert.equal(await text(page, "#t-optimal"), "none");
  await page.click("#t-message button");
  assert.equal(await boardOf(page), "2 1 3/4 5 6/8 7 0");
  await until(page, () => /^\d+$/.test(document.querySelector("#t-optimal").textContent));
}));

test("a board can be edited by keyboard alone", () => withPage(link(EASY), {}, async (page) => {
  await page.keyboard.press("e");
  await page.locator("#t-board .tile").first().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await boardOf(page), "2 1 3/4 0 6/7 5 8");
  assert.match(await text(page, "#t-message"), /cannot be solved/);
  await page.keyboard.press("u");
  assert.equal(await boardOf(page), EASY);
}));

test("a plan can be played back, scrubbed and left by undo", () => withPage(link(MIDDLE), {}, async (page) => {
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-playback").classList.contains("on"));
  assert.match(await text(page, "#t-message"), /38 moves\. No plan is shorter/);
  await page.selectOption("#t-playback select", "40");
  await until(page, () => document.querySelector("#t-playback output").textContent === "38 / 38");
  assert.equal(await boardOf(page), "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
  await page.locator("#t-playback input").fill("0");
  assert.equal(await boardOf(page), MIDDLE);
  await page.locator("#t-playback input").fill("20");
  assert.equal(await text(page, "#t-moves"), "20");
  await shot(page, "tiles-playback");
  await page.click("#t-undo");
  assert.equal(await boardOf(page), MIDDLE);
}));

test("an optimal plan can be certified, and the certificate downloaded", () => withPage(link("8 6 7/2 5 4/3 0 1"), {}, async (page) => {
  await page.click("#t-solve");
  await page.click('#t-message button:has-text("Certify it")');
  await until(page, () => /^Verified/.test(document.querySelector("#t-message p").textContent));
  assert.match(await text(page, "#t-message"), /no plan of fewer than 31 moves exists.*noyes-check/);
  await shot(page, "tiles-certified");
  const arrives = page.waitForEvent("download");
  await page.click('#t-message button:has-text("Download the certificate")');
  const file = await readFile(await (await arrives).path());
  assert.equal(file.subarray(0, 19).toString(), "noyes certificate 1");
}));

test("a link carries board, moves and replay to another browser", () => withPage(link(EASY), {}, async (page) => {
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const here = await boardOf(page);
  await page.click("#t-share");
  const shared = await page.inputValue("#share-link");
  await page.uncheck("#share-moves");
  assert.ok(!(await page.inputValue("#share-link")).includes("moves"));
  await withPage(shared.split("#")[1], {}, async (other) => {
    assert.match(await text(other, "#t-message"), /A replay from a link/);
    await until(other, () => document.querySelector("#t-playback output").textContent === "3 / 3");
    assert.equal(await boardOf(other), here);
    await other.click('#t-playback [aria-label="To the start"]');
    assert.equal(await boardOf(other), EASY);
  });
}));

test("the game survives a reload", () => withPage("tiles", {}, async (page) => {
  await page.click('[data-size="3x3"]');
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  const here = await boardOf(page);
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal(await boardOf(page), here);
}));

test("boards of other sizes, and at a chosen distance", () => withPage("tiles", {}, async (page) => {
  await page.click('[data-size="other"]');
  await page.fill("#new-width", "5");
  await page.fill("#new-height", "2");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll("#t-board [role=row]").length === 2);
  await page.click('[data-size="other"]');
  await page.fill("#new-width", "3");
  await page.fill("#new-height", "3");
  await page.fill("#new-distance", "17");
  await page.click('#new-dialog button[value="ok"]');
  await until(page, () => document.querySelector("#t-optimal").textContent === "17");
}));

test("tiles with a picture still show their numbers", () => withPage(link(MIDDLE), {}, async (page) => {
  await page.check('[name="face"][value="picture"]');
  assert.equal(await page.locator("#t-board canvas").count(), 15);
  assert.equal(await boardOf(page), MIDDLE);
  await shot(page, "tiles-picture");
}));

test("offline after the first load: reload, play and hints", () => withPage("tiles", { workers: "allow", tolerate: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/ }, async (page, context) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await until(page, () => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  await page.click('[data-size="3x3"]');
  for (let i = 1; !/You won!/.test(await text(page, "#t-message")); i++) {
    assert.ok(i <= 31, "no 3x3 board needs more than 31 moves");
    await page.click("#t-step");
    await until(page, (n) => document.querySelector("#t-moves").textContent === String(n), i);
  }
  assert.ok(await page.locator("#offline").isVisible());
  await page.click('nav [data-view="sokoban"]');
  await page.waitForSelector("#s-board .ground");
}));
