// Statistics are honest: each game counts once, and none with help. Invalid stored data does no harm.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ARROW, boardOf, counts, hintFor, link, start, stop, text, until, withPage } from "./harness.js";

const EASY = "1 2 3/4 0 6/7 5 8"; // up, left
const PUSH = "sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w"; // one push to the right

before(start);
after(stop);

const solves = async (page) => Number((await text(page, "#t-stats")).match(/Solves\s+(\d+)/)[1]);
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const optimum = (page, n) => until(page, (left) => document.querySelector("#t-optimal").textContent === left, String(n));

/** A shuffled 3x3 board, and the keys that solve it. */
async function shuffled(page) {
  await page.click('[data-size="3x3"]');
  const { plan } = await hintFor(await boardOf(page));
  return [...plan].map((letter) => ARROW[letter]);
}

test("a game counts once, despite undo, redo and restart", () => withPage("tiles", {}, async (page) => {
  const keys = await shuffled(page);
  await press(page, ...keys);
  assert.equal(await solves(page), 1);
  await press(page, "u", "u", "y", "y");
  assert.equal(await solves(page), 1, "redone");
  await press(page, "u", keys.at(-1));
  assert.match(await text(page, "#t-message"), /counted before/);
  assert.equal(await solves(page), 1, "the last move played again");
  await page.click("#t-restart");
  await press(page, ...keys);
  assert.equal(await solves(page), 1, "played again from the start");
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  await press(page, "u", keys.at(-1));
  assert.equal(await solves(page), 1, "after a reload");
  await press(page, ...(await shuffled(page)));
  assert.equal(await solves(page), 2, "a new game counts");
}));

test("only shuffled boards count, not those from links, dialogs or the editor", () => withPage(link(EASY), {}, async (page) => {
  const unchanged = async (what) => {
    assert.match(await text(page, "#t-message"), /You won!.*Only shuffled boards count/s, what);
    assert.equal(await solves(page), 0, what);
  };
  await press(page, "ArrowUp", "ArrowLeft");
  await unchanged("linked");
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  await press(page, "u", "u", "ArrowUp", "ArrowLeft");
  await unchanged("linked, after a reload");
  await page.click("#t-paste");
  await page.fill("#paste-text", EASY);
  await page.click('#paste-dialog button[value="ok"]');
  await optimum(page, 2);
  await press(page, "ArrowUp", "ArrowLeft");
  await unchanged("pasted");
  await page.click('[data-size="other"]');
  for (const [id, value] of [["width", "3"], ["height", "3"], ["distance", "1"]]) await page.fill(`#new-${id}`, value);
  await page.click('#new-dialog button[value="ok"]');
  await optimum(page, 1);
  await press(page, "ArrowUp", "ArrowLeft");
  await unchanged("at a distance");
  await page.click('[data-size="3x3"]');
  await page.click("#t-edit");
  for (const cell of [0, 1, 0, 1]) await page.locator("#t-board .tile").nth(cell).click(); // swapped, and back
  await page.click("#t-edit");
  const { plan } = await hintFor(await boardOf(page));
  await press(page, ...[...plan].map((letter) => ARROW[letter]));
  await unchanged("edited");
}));

for (const [name, help] of [
  ["a plan that was played back and undone", async (page) => {
    await page.click("#t-solve");
    await until(page, () => document.querySelector("#t-playback output").textContent !== "0 / 0");
    await page.click("#t-undo");
  }],
  ["a plan that was played back, and a restart", async (page) => {
    await page.click("#t-solve");
    await until(page, () => document.querySelector("#t-playback output").textContent !== "0 / 0");
    await page.click("#t-restart");
  }],
  ["a hint that was only shown", async (page) => {
    await page.click("#t-hint");
    await until(page, () => /Hint: slide/.test(document.querySelector("#t-message").textContent));
  }],
]) {
  test(`with ${name}, the game counts as assisted`, () => withPage(link(EASY), {}, async (page) => {
    await optimum(page, 2);
    await help(page);
    assert.equal(await boardOf(page), EASY);
    assert.match(await text(page, "#t-stats-size"), /with help/);
    await press(page, "ArrowUp", "ArrowLeft");
    assert.match(await text(page, "#t-message"), /You won!.*with help/s);
    assert.equal(await solves(page), 0);
    assert.match(await text(page, "#t-stats"), /Best\s+–/);
  }));
}

test("undoing to the start does not turn the clock back", () => withPage(link(EASY), {}, async (page) => {
  await press(page, "ArrowUp");
  await until(page, () => /0:0[1-9]/.test(document.querySelector("#t-time").textContent));
  await press(page, "u", "ArrowUp", "ArrowLeft");
  assert.match(await text(page, "#t-message"), /You won! 2 moves in 0:0[1-9]/);
}));

test("a Sokoban level solved with help is never a best, even after undo or restart", () => withPage(PUSH, {}, async (page) => {
  const best = () => page.locator("#s-score tr:nth-child(2)").innerText();
  await page.click("#s-hint");
  await until(page, () => /Hint:/.test(document.querySelector("#s-message").textContent));
  await press(page, "ArrowRight");
  assert.match(await text(page, "#s-message"), /with help/);
  assert.match(await best(), /–\s+–/);
  assert.match(await text(page, "#s-score"), /with help/);
  await press(page, "u", "ArrowRight");
  assert.match(await best(), /–\s+–/);
  await page.click("#s-restart");
  await press(page, "ArrowRight");
  assert.match(await best(), /–\s+–/);
  await page.goto(page.url().replace("sokoban?", "sokoban?again&"));
  await until(page, () => document.querySelector("#s-moves").textContent === "0");
  await press(page, "ArrowRight");
  assert.match(await best(), /1\s+1/, "without help it counts");
}));

test("one undo leaves a replay from a link", () => withPage(`${link(EASY)}&moves=DR&replay=40`, {}, async (page) => {
  await until(page, () => document.querySelector("#t-playback output").textContent === "2 / 2");
  assert.equal(await boardOf(page), "1 2 3/4 5 6/7 8 0");
  await press(page, "u");
  assert.equal(await boardOf(page), EASY);
  assert.equal(await text(page, "#t-moves"), "0");
}));

test("one undo leaves a Sokoban replay from a link", () => withPage(`${PUSH}&moves=lrR&replay=40`, {}, async (page) => {
  await until(page, () => document.querySelector("#s-playback output").textContent === "3 / 3");
  await press(page, "u");
  assert.equal(await text(page, "#s-moves"), "0");
  await counts(page, '[aria-label^="player, row 3, column 3"]', 1);
}));

const NONSENSE = ['{"history": {"at": 3, "games": [], "steps": []}, "known": 5}', '{"at": 0, "games": [{"start": "###"}], "steps": [[0, 0, "rrr"]]}', "{", "null", "7", '"x"', "[]", "[1, null]", "{}", '{"3x3": 5, "4x4": [null, {"ms": "x"}]}', '{"start": 5, "path": {}}', '{"start": "1 2 3/4 0 6/7 5 8", "path": "UUUUUU", "ms": 1}', '[{"xsb": 3}, {"title": "x", "xsb": "#"}]'];
for (const [i, nonsense] of NONSENSE.entries()) {
  test(`invalid data in the browser's storage is ignored: ${nonsense}`, async () => {
    const prepare = (page) => page.addInitScript((value) => {
      for (const key of ["game", "walk", "solves", "best", "levels", "speed", "face", "hover", "theme"]) localStorage.setItem(`noyes.${key}`, value);
    }, nonsense);
    await withPage(["tiles", "sokoban"][i % 2], { prepare }, async (page) => {
      await page.click('nav [data-view="sokoban"]');
      await page.waitForSelector("#s-board .ground");
      assert.ok((await page.locator("#s-level option").count()) > 30);
      await page.click("#s-all");
      await page.keyboard.press("Escape");
      await page.click('nav [data-view="tiles"]');
      await page.click('[data-size="3x3"]');
      await counts(page, "#t-board .tile", 9);
      assert.equal(await solves(page), 0);
      await page.click('nav [data-view="race"]');
      await page.waitForSelector("#r-choice label");
    });
  });
}
