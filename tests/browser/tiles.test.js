// Tiles in a real browser: keys, clicks and drags, hints, solving, sharing, and offline use.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { ARROW, boardOf, counts, hintFor, link, shot, start, stop, text, until, withPage } from "./harness.js";

const EASY = "1 2 3/4 0 6/7 5 8"; // 2 moves
const ENDLESS = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0"; // no engine proves its optimum
const MIDDLE = "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"; // 38 moves
const HARD = "14 13 10 8/15 6 1 9/5 0 2 11/12 7 4 3"; // too much for the search without a solver

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
  await counts(page, ".tile .arrow", 1);
  await page.click("#t-hint");
  assert.match(await text(page, "#t-message"), /slide tile [56] (up|left) \(proven optimal, 2 to go\)/);
  await counts(page, ".tile.hinted", 1);
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

test("a sliding tile is solid and leaves no ghost behind", () => withPage(link(MIDDLE), {}, async (page) => {
  await page.evaluate(() => {
    globalThis.faded = [];
    document.querySelector("#t-board").addEventListener("transitionrun", (event) => globalThis.faded.push(`${event.target.ariaLabel}: ${event.propertyName}`));
  });
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => globalThis.faded), []);
}));

test("a bad link on a first visit shows a board and what is wrong with the link", async () => {
  await withPage("tiles?board=1-2.3", {}, async (page) => {
    await counts(page, "#t-board .tile", 16);
    assert.match(await text(page, "#t-message"), /Row 2 has 1 tile, row 1 has 2/);
  });
  await withPage(`${link(EASY)}&moves=DDDD`, {}, async (page) => {
    await counts(page, "#t-board .tile", 16);
    assert.match(await text(page, "#t-message"), /moves in this link leave the board/);
  });
});

test("a link opens its board to play, also from the editor", () => withPage(link(EASY), {}, async (page) => {
  await page.click("#t-edit");
  await page.evaluate((hash) => (location.hash = hash), link("1 2 3/4 5 6/7 0 8"));
  await until(page, () => document.querySelector("#t-optimal").textContent === "1");
  assert.equal(await page.getAttribute("#t-edit", "aria-pressed"), "false");
  await page.keyboard.press("ArrowLeft");
  await until(page, () => /You won/.test(document.querySelector("#t-message").textContent));
}));

test("a shown hint is gone once the plan is played", () => withPage(link(EASY), {}, async (page) => {
  await until(page, () => document.querySelector("#t-optimal").textContent === "2");
  await page.click("#t-hint");
  await page.click("#t-hint");
  await counts(page, ".tile.hinted", 1);
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-playback").classList.contains("on"));
  await page.click('#t-playback [aria-label="To the start"]');
  assert.equal(await page.locator(".tile.hinted, .tile .arrow").count(), 0);
  assert.equal(await text(page, "#t-hint"), "Hint");
}));

test("on a board without a proven optimum the chart shows the bounds as a band", () => withPage(link(ENDLESS), {}, async (page) => {
  await until(page, () => document.querySelector("#t-plot .band"));
  assert.match(await text(page, "#t-verdict"), /lies in the band/);
  const high = (await page.locator("#t-plot .band").boundingBox()).height;
  assert.ok(high > 10, `${high} pixels from the lower to the upper bound`);
  assert.match(await page.getAttribute("#t-plot svg", "aria-label"), /from the start \d+ to \d+/);
  await page.keyboard.press("ArrowDown");
  await until(page, () => document.querySelector("#t-plot .band")?.getBoundingClientRect().width > 10);
  await shot(page, "tiles-band");
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

test("undo, redo and the chart survive a reload", () => withPage(link(MIDDLE), {}, async (page) => {
  const asked = (n) => until(page, (left) => document.querySelector("#t-optimal").textContent === left, String(n));
  await asked(38);
  const { plan } = await hintFor(MIDDLE);
  await page.keyboard.press(ARROW[plan[0]]);
  await asked(37);
  await page.keyboard.press(ARROW[{ L: "R", R: "L", U: "D", D: "U" }[plan[0]]]); // a detour
  await asked(38);
  await page.keyboard.press(ARROW[plan[0]]);
  await page.keyboard.press(ARROW[plan[1]]);
  await asked(36);
  await page.click("#t-undo");
  const here = await boardOf(page);
  const line = await page.getAttribute("#t-plot .yours", "d");
  const verdict = await text(page, "#t-verdict");
  assert.equal(verdict, "3 moves, 1 detour (○, +2). Dashed: optimal.");
  await page.goto(page.url().replace(/#.*/, "#tiles")); // without the board of the link
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal(await boardOf(page), here);
  assert.equal(await text(page, "#t-verdict"), verdict);
  assert.equal(await page.getAttribute("#t-plot .yours", "d"), line);
  await page.click("#t-redo");
  assert.equal(await text(page, "#t-moves"), "4");
  for (let moves = 3; moves >= 0; moves--) {
    await page.click("#t-undo");
    assert.equal(await text(page, "#t-moves"), String(moves));
  }
  assert.equal(await boardOf(page), MIDDLE);
  await page.click("#t-undo");
  assert.notEqual(await boardOf(page), MIDDLE, "the board before the link");
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
  await counts(page, "#t-board canvas", 15);
  assert.equal(await boardOf(page), MIDDLE);
  await shot(page, "tiles-picture");
}));

test("an own picture survives a reload and is not stretched", () => withPage(link("1 2 3 4/5 6 7 0"), {}, async (page) => {
  // Green above and below, red between: a board twice as wide as high shows the red part.
  const drawn = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(400, 400);
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#00ff00";
    pen.fillRect(0, 0, 400, 400);
    pen.fillStyle = "#ff0000";
    pen.fillRect(0, 100, 400, 200);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  const colours = () => page.locator("#t-board canvas").evaluateAll((all) => all.map((canvas) => {
    const pen = canvas.getContext("2d");
    return [20, 100, 180].map((y) => [...pen.getImageData(100, y, 1, 1).data].slice(0, 3).map((part) => (part > 127 ? 1 : 0)).join("")).join(" ");
  }));
  await page.setInputFiles("#t-picture", { name: "flag.png", mimeType: "image/png", buffer: Buffer.from(drawn) });
  await until(page, () => document.querySelectorAll("#t-board canvas").length === 7);
  const red = Array(7).fill("100 100 100");
  assert.deepEqual(await colours(), red);
  await page.reload();
  await page.waitForSelector("#t-board canvas");
  await until(page, () => document.querySelector("#t-board canvas").getContext("2d").getImageData(100, 100, 1, 1).data[0] > 127);
  assert.deepEqual(await colours(), red);
  await page.click("#t-picture-drop");
  assert.notDeepEqual(await colours(), red, "the hills are back");
  await page.reload();
  await page.waitForSelector("#t-board canvas");
  assert.ok(await page.locator("#t-picture-drop").isHidden());
}));

test("offline Sokoban has all levels, even if its view was never opened", () => withPage("tiles", { workers: "allow", tolerate: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/ }, async (page, context) => {
  const areKept = () => page.evaluate(async () => Boolean(await caches.match(new URL("api/v1/levels", location))));
  for (let i = 0; i < 200 && !(await areKept()); i++) await page.waitForTimeout(100);
  await context.setOffline(true);
  await page.click('nav [data-view="sokoban"]');
  await page.waitForSelector("#s-board .ground");
  assert.ok((await page.locator("#s-level option").count()) > 30);
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

test("bounds become the optimum when the service is back, without a move", () => withPage(link(HARD), { tolerate: /ERR_FAILED/, prepare: (page) => page.route("**/api/v1/hint", (route) => route.abort()) }, async (page) => {
  await until(page, () => /^\d+ – (\d+|\?)$/.test(document.querySelector("#t-optimal").textContent));
  await page.unroute("**/api/v1/hint");
  await page.route("**/api/v1/hint", (route) => route.fulfill({ json: { lower: 61, upper: 61, plan: null, proven: true } }));
  await until(page, () => document.querySelector("#t-optimal").textContent === "61");
  assert.equal(await text(page, "#t-moves"), "0");
}));

test("a board that cannot be proven is asked about a few times only", () => withPage("tiles", { prepare: (page) => page.clock.install() }, async (page) => {
  let asked = 0;
  await page.route("**/api/v1/hint", (route) => {
    // The page may have asked about its first board, too.
    if (/24\D+23\D+22\D+21/.test(route.request().postData())) asked++;
    return route.fulfill({ json: { lower: 100, upper: null, plan: null, proven: false } });
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link(ENDLESS));
  for (let i = 0; i < 60; i++) await page.clock.runFor(1000);
  await until(page, () => document.querySelector("#t-optimal").textContent.startsWith("100"));
  assert.equal(asked, 4);
}));
