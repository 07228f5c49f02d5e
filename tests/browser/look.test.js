// How the page looks and feels: the optimum as the hero, colours of tiles, the first visit, sound, and Sokoban's pieces.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ARROW, hintFor, link, shot, start, stop, text, until, withPage } from "./harness.js";

const EASY = "1 2 3/4 0 6/7 5 8"; // 2 moves
const PLAIN = "sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w"; // one push
const AROUND = "sokoban?level=8w.w6-w.w-pb-o-w.w6-w.8w"; // two pushes
const row = (cells) => `w${cells}w`;
const LARGE = `sokoban?level=40w.${row("p-b34-o")}.${Array(28).fill(row("38-")).join(".")}.40w`;

before(start);
after(stop);

const optimum = (page, prefix, n) => until(page, ([id, left]) => document.querySelector(id).textContent === left, [`#${prefix}-optimal`, String(n)]);
const way = (page, prefix) => page.getAttribute(`#${prefix}-meter`, "aria-valuenow");

test("the board is at least 550 pixels high at 1366x768, with the message above and the playback below in sight", () => withPage(link("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"), { viewport: { width: 1366, height: 768 } }, async (page) => {
  const box = (id) => page.locator(id).boundingBox();
  const [board, message, playback, counters] = await Promise.all(["#t-board", "#t-message", "#t-playback", "#tiles .counters"].map(box));
  assert.ok(board.height >= 550, `${board.height}`);
  assert.ok(counters.y < message.y && message.y + message.height <= board.y && board.y + board.height <= playback.y && playback.y + playback.height <= 768);
  assert.ok(counters.height < 40, "one line");
}));

test("the meter shows the way, and = and +2 flash at the tile that moved", () => withPage(link(EASY), {}, async (page) => {
  await optimum(page, "t", 2);
  assert.equal(await text(page, "#t-unit"), "moves left");
  assert.equal(await way(page, "t"), "0");
  await page.evaluate(() => {
    globalThis.flashes = [];
    new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => node.classList?.contains("flash") && globalThis.flashes.push([node.textContent, node.style.left])))).observe(document.querySelector("#t-board"), { childList: true, subtree: true });
  });
  const flashes = () => page.evaluate(() => globalThis.flashes.map(([sign]) => sign));
  const { plan } = await hintFor(EASY);
  await page.keyboard.press(ARROW[plan[0]]);
  await optimum(page, "t", 1);
  assert.equal(await text(page, "#t-unit"), "move left");
  assert.equal(await way(page, "t"), "50");
  assert.deepEqual(await flashes(), ["="]);
  await page.keyboard.press(ARROW[{ L: "R", R: "L", U: "D", D: "U" }[plan[0]]]);
  await optimum(page, "t", 2);
  await until(page, () => globalThis.flashes.length === 2);
  assert.deepEqual(await flashes(), ["=", "+2"]);
  await until(page, () => !document.querySelector(".flash")); // it goes away
  assert.match(await text(page, "#t-verdict"), /^2 moves, 1 detour \(○, \+2\)\. Dashed: optimal\.$/);
}));

test("a tile slides above the cell that it leaves", () => withPage(link("1 2 3/4 0 6/7 5 8"), {}, async (page) => {
  const { x, y, width } = await page.locator('[aria-label^="6,"]').boundingBox();
  await page.evaluate(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const animation = animate.apply(this, how);
      animation.pause();
      return animation;
    };
  });
  await page.keyboard.press("ArrowLeft"); // tile 6 stays at the start of its way, above the cell that is now blank
  const shown = await page.evaluate(([left, top]) => document.elementFromPoint(left, top).closest(".tile").textContent, [x + width / 2, y + width / 2]);
  assert.equal(shown, "6");
}));

test("colours of tiles can be chosen and are kept", () => withPage(link("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"), {}, async (page) => {
  const colours = () => page.locator("#t-board .tile:not(.blank)").evaluateAll((all) => all.map((tile) => getComputedStyle(tile).backgroundImage));
  const kinds = async () => {
    const all = await colours();
    return [new Set(all).size, all[0] === all[3], all[0] === all[4]];
  };
  assert.deepEqual(await kinds(), [3, true, true], "by layer: the first row and the first column are alike");
  await page.check('[name="scheme"][value="rows"]');
  assert.deepEqual(await kinds(), [4, true, false]);
  await page.check('[name="scheme"][value="mono"]');
  assert.equal((await kinds())[0], 1);
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal((await kinds())[0], 1);
  assert.ok(await page.isChecked('[name="scheme"][value="mono"]'));
}));

test("the first visit explains the game and shows the goal, once", () => withPage("tiles", {}, async (page) => {
  assert.match(await text(page, "#t-message"), /noyes proves how many are left at best/);
  assert.ok(await page.locator('#t-message [aria-label="The goal"]').isVisible());
  await page.keyboard.press("t");
  await until(page, () => !document.querySelector("#t-message").classList.contains("welcome"));
  assert.ok(await page.locator('#t-message [aria-label="The goal"]').isHidden());
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal(await page.locator('#t-message [aria-label="The goal"]').count(), 0);
}));

test("sound and vibration are off until they are wanted", () => withPage(link(EASY), {
  prepare: (page) => page.addInitScript(() => {
    globalThis.heard = 0;
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.heard++;
      return begin.apply(this, when);
    };
    globalThis.shaken = 0;
    navigator.vibrate = () => ++globalThis.shaken;
  }),
}, async (page) => {
  const noise = () => page.evaluate(() => [globalThis.heard, globalThis.shaken]);
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await noise(), [0, 0]);
  await page.click("#sound");
  assert.equal(await page.getAttribute("#sound", "aria-pressed"), "true");
  const before = await noise();
  await page.keyboard.press("ArrowLeft"); // the last move
  const after = await noise();
  assert.ok(after[0] > before[0] && after[1] > before[1], `${before} ${after}`);
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal(await page.getAttribute("#sound", "aria-pressed"), "true");
}));

test("Sokoban shows the optimum from here, and marks pushes but not walks", () => withPage(AROUND, {}, async (page) => {
  await optimum(page, "s", 2);
  assert.equal(await text(page, "#s-unit"), "pushes left");
  let asked = 0;
  page.on("request", (request) => request.url().endsWith("/hint") && asked++);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.waitForTimeout(800);
  assert.equal(await text(page, "#s-optimal"), "2");
  assert.equal(asked, 0, "walking does not change the optimum");
  assert.equal(await text(page, "#s-mark"), "", "a walk costs no pushes");
  await page.keyboard.press("ArrowRight");
  await optimum(page, "s", 1);
  assert.equal(await text(page, "#s-unit"), "push left");
  assert.match(await text(page, "#s-mark"), /= optimal/);
  assert.equal(await way(page, "s"), "50");
  await page.click('[name="objective"][value="moves"]');
  await optimum(page, "s", 1);
  assert.equal(await text(page, "#s-unit"), "move left");
}));

test("a level that is too hard is not asked about again and again", () => withPage(AROUND, {
  prepare: async (page) => {
    page.asked = 0;
    await page.route("**/api/v1/hint", (route) => {
      page.asked++;
      return route.fulfill({ json: { lower: 1, upper: null, plan: null, proven: false } });
    });
  },
}, async (page) => {
  for (const key of ["ArrowRight", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(1200);
  }
  assert.ok(page.asked > 0 && page.asked <= 3, `${page.asked} questions`);
}));

test("dead squares are shaded on request, and never a square from which a box reaches a goal", () => withPage(PLAIN, {}, async (page) => {
  const shaded = () => page.locator(".ground.shaded").evaluateAll((all) => all.map((each) => each.ariaLabel.match(/row (\d), column (\d)/).slice(1).join()));
  assert.deepEqual(await shaded(), []);
  await page.check("#s-dead");
  const dead = await shaded();
  // A room of 5×3 with its goal in the middle row: all cells along the walls are dead.
  assert.deepEqual(dead, ["2,2", "2,3", "2,4", "2,5", "2,6", "3,2", "3,6", "4,2", "4,3", "4,4", "4,5", "4,6"]);
  assert.match(await page.locator(".ground.shaded").first().getAttribute("aria-label"), /dead square/);
  await page.reload();
  await page.waitForSelector("#s-board .ground");
  assert.equal((await shaded()).length, 12, "the choice is kept");
  await shot(page, "sokoban-shaded");
}));

test("the player faces where it walks", () => withPage(PLAIN, {}, async (page) => {
  const turn = () => page.locator(".piece.player").evaluate((piece) => ((parseFloat(piece.style.getPropertyValue("--turn")) % 360) + 360) % 360);
  for (const [key, degrees] of [["ArrowUp", 0], ["ArrowLeft", 270], ["ArrowDown", 180], ["ArrowRight", 90]]) {
    await page.keyboard.press(key);
    assert.equal(await turn(), degrees, key);
  }
}));

test("a dragged box follows the pointer, and comes back if it cannot go there", () => withPage(PLAIN, {}, async (page) => {
  const at = async (label) => {
    const { x, y, width, height } = await page.locator(`[aria-label*="${label}"]`).first().boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...(await at("row 3, column 4")));
  await page.mouse.down();
  const [x, y] = await at("row 2, column 6");
  await page.mouse.move(x, y, { steps: 4 });
  const { x: left, y: top, width, height } = await page.locator(".piece.ghost").boundingBox();
  assert.ok(Math.abs(left + width / 2 - x) < 4 && Math.abs(top + height / 2 - y) < 4, "it is under the pointer");
  await page.mouse.move(...(await at("row 1, column 1").catch(() => [5, 5])));
  await page.mouse.up();
  assert.equal(await page.locator(".piece.ghost, .piece.lifted").count(), 0);
  assert.equal(await text(page, "#s-pushes"), "0");
}));

test("a solved level is celebrated, but not without motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    await withPage(PLAIN, { reducedMotion }, async (page) => {
      await page.keyboard.press("ArrowRight");
      await until(page, () => document.querySelector("#s-board").classList.contains("won"));
      const name = await page.locator(".piece.box").evaluate((piece) => getComputedStyle(piece).animationName);
      assert.equal(name, reducedMotion === "reduce" ? "none" : "pop");
    });
  }
});

test("a large level can be zoomed, and the player stays in sight", () => withPage(LARGE, { reducedMotion: "reduce" }, async (page) => {
  const cell = () => page.locator(".piece.player").evaluate((piece) => piece.offsetWidth);
  await page.waitForSelector(".zoom:not([hidden])");
  const [small, tray] = [await cell(), await page.locator("#sokoban .tray").boundingBox()];
  for (let i = 0; i < 4; i++) await page.click('.zoom [title="Zoom in"]');
  assert.ok((await cell()) > 3 * small);
  assert.deepEqual(await page.locator("#sokoban .tray").boundingBox(), tray, "its frame stays");
  const inSight = () => page.locator(".piece.player").evaluate((piece) => {
    const [frame, box] = [piece.closest(".tray"), piece].map((each) => each.getBoundingClientRect());
    return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  });
  assert.ok(await inSight());
  await page.click('[aria-label^="floor, row 2, column 3"]');
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowDown");
  await page.waitForTimeout(700);
  assert.ok(await inSight(), "after walking");
  await shot(page, "sokoban-zoomed");
  for (let i = 0; i < 4; i++) await page.click('.zoom [title="Zoom out"]');
  assert.equal(await cell(), small);
}));

test("small levels have no zoom buttons", () => withPage(PLAIN, {}, async (page) => {
  await page.waitForTimeout(200);
  assert.ok(await page.locator(".zoom").isHidden());
}));
