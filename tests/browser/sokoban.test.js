// Sokoban in a real browser: walking, pushing, warnings, hints, plans, drawing, crews.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, counts, hintFor, shot, start, stop, text, until, withPage } from "./harness.js";

// Levels as in links: w wall, - floor, o goal, b box, p player, rows separated by dots.
const ONE = "sokoban?level=7w.w-3o-w".replace("-3o-", "--o--") + ".w-b---w.w--p--w.7w";
const PLAIN = "sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w"; // one push
const CREW = "sokoban?level=9w.wp-b---ow.w3-w3-w.wp-b---ow.9w"; // each player pushes along a row

before(start);
after(stop);

test("keys walk and push, and the level is solved", () => withPage(PLAIN, {}, async (page) => {
  await page.keyboard.press("l");
  assert.match(await text(page, "#s-message"), /Solved with 1 move and 1 push/);
  assert.equal(await text(page, "#s-home"), "1 / 1 ✓");
  await counts(page, ".piece.box.home", 1);
}));

test("a click walks, two clicks push a box along the best path", () => withPage(ONE, {}, async (page) => {
  await page.click('[aria-label^="floor, row 4, column 2"]');
  await until(page, () => document.querySelector("#s-moves").textContent === "2");
  await page.click('[aria-label^="box, row 3, column 3"]');
  assert.ok((await page.locator(".ground.reach").count()) > 3);
  await page.click('[aria-label^="floor, goal, row 2, column 4"]');
  assert.match(await text(page, "#s-message"), /Solved with \d+ moves and 2 pushes/);
}));

test("dragging moves a box to its goal, and a swipe is a step", () => withPage(ONE, {}, async (page) => {
  const at = (place) => page.locator(`[aria-label$="${place}"]`).boundingBox();
  const swipe = async (a, b) => {
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 6 });
    await page.mouse.up();
  };
  await swipe(await at("row 4, column 5"), await at("row 4, column 3"));
  await counts(page, '[aria-label^="player, row 4, column 3"]', 1);
  await swipe(await at("row 3, column 3"), await at("row 2, column 4"));
  assert.match(await text(page, "#s-message"), /Solved with \d+ moves and 2 pushes/);
}));

test("a dead box is outlined with the reason, and undo is offered", () => withPage(ONE, {}, async (page) => {
  await page.keyboard.press("a");
  await page.keyboard.press("w"); // the box goes up to the wall; the goal is along it
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft"); // into the corner
  await until(page, () => document.querySelectorAll(".piece.box.dead").length === 1);
  assert.match(await text(page, "#s-message"), /Stuck: .+/);
  assert.match(await page.locator('[aria-label^="box, dead"]').getAttribute("aria-label"), /row 2, column 2/);
  await shot(page, "sokoban-dead");
  await page.click('#s-message button:has-text("Undo")');
  await until(page, () => document.querySelectorAll(".piece.box.dead").length === 0);
}));

test("hints show the box, then the direction, then push", () => withPage(ONE, {}, async (page) => {
  await page.click("#s-hint");
  await until(page, () => document.querySelectorAll(".piece.box.hinted").length === 1);
  assert.match(await text(page, "#s-message"), /outlined box comes next \(proven fewest, 2 pushes to go\)/);
  await page.click("#s-hint");
  await until(page, () => /push the outlined box (up|right)/.test(document.querySelector("#s-message").textContent));
  await page.click("#s-hint");
  await until(page, () => document.querySelector("#s-pushes").textContent === "1");
  await page.click("#s-step");
  await until(page, () => /Solved with \d+ moves and 2 pushes/.test(document.querySelector("#s-message").textContent));
}));

test("an optimal plan can be played back and scrubbed", () => withPage(ONE, {}, async (page) => {
  await page.click("#s-solve");
  await until(page, () => document.querySelector("#s-playback").classList.contains("on"));
  assert.match(await text(page, "#s-message"), /2 pushes\. No plan has fewer pushes/);
  await page.selectOption("#s-playback select", "40");
  await until(page, () => document.querySelectorAll(".piece.box.home").length === 1);
  await page.locator("#s-playback input").fill("0");
  assert.equal(await text(page, "#s-pushes"), "0");
}));

test("an optimal plan can be certified", () => withPage(ONE, {}, async (page) => {
  await page.click("#s-solve");
  await page.click('#s-message button:has-text("Certify it")');
  await until(page, () => /^Verified/.test(document.querySelector("#s-message p").textContent));
  assert.match(await text(page, "#s-message"), /no plan of fewer than 2 pushes exists/);
}));

test("a crew's plan moves all players at once", () => withPage(CREW, {}, async (page) => {
  await page.click("#s-solve");
  await until(page, () => document.querySelector("#s-playback").classList.contains("on"));
  assert.match(await text(page, "#s-message"), /5 steps, 8 pushes\. No plan has fewer steps/);
  await page.click('#s-playback [aria-label="To the start"]');
  const places = () => page.evaluate(() => [...document.querySelectorAll(".piece.player")].map((piece) => piece.style.getPropertyValue("--x")));
  assert.deepEqual(await places(), ["1", "1"]);
  await page.click('#s-playback [aria-label="One step forward"]');
  assert.deepEqual(await places(), ["2", "2"]);
  await page.click('#s-playback [aria-label="To the end"]');
  assert.equal(await text(page, "#s-home"), "2 / 2 ✓");
  await shot(page, "sokoban-crew");
}));

test("players of a crew are chosen by number, and may move together", () => withPage(CREW, {}, async (page) => {
  await page.keyboard.press("2");
  await page.keyboard.press("ArrowRight");
  await counts(page, '[aria-label^="player 2, row 4, column 3"]', 1);
  await page.keyboard.press("u");
  await page.check("#s-together");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#s-moves"), "0");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, "#s-moves"), "1");
  await counts(page, '[aria-label*="column 3"][aria-label^="player"]', 2);
}));

test("the shipped collection is there, with par", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  const first = await page.inputValue("#s-level");
  await page.click("#s-next");
  assert.notEqual(await page.inputValue("#s-level"), first);
  assert.match(await text(page, "#s-par-pushes"), /of \d+/);
  assert.match(await text(page, "#s-par-moves"), /of \d+/);
  await page.click("#s-all");
  await shot(page, "sokoban-levels");
  await page.locator(".previews button").first().click();
  await until(page, () => document.querySelector("#s-level").value === "0");
  await shot(page, "sokoban");
}));

test("a pasted level is refused while it is invalid, then played", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  await page.click("#s-own");
  await page.fill("#own-text", "#####\n#@$.\n#####");
  await page.click('#own-dialog button[value="ok"]');
  assert.match(await text(page, "#own-dialog .problem"), /walls have a hole/);
  await page.fill("#own-text", "Title: Mine\n#####\n#@$.#\n#####");
  await page.click('#own-dialog button[value="ok"]');
  await until(page, () => /Mine/.test(document.querySelector("#s-level").selectedOptions[0]?.textContent));
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#s-message"), /Solved with 1 move and 1 push/);
  await until(page, () => /✓ .*Mine/.test(document.querySelector("#s-level").selectedOptions[0].textContent));
}));

test("own levels get different names and can be deleted", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  const own = () => page.locator("#s-level option").evaluateAll((options) => options.map((each) => each.textContent.replace(/^(✓ )?\d+\. /, "")).filter((name) => name.includes("(own)")));
  const level = (space) => `######${"#".repeat(space)}\n#@ $${" ".repeat(space)}.#\n######${"#".repeat(space)}`;
  const take = async (...levels) => {
    await page.click("#s-own");
    await page.fill("#own-text", levels.join("\n\n"));
    await page.click('#own-dialog button[value="ok"]');
    await until(page, () => !document.querySelector("#own-dialog").open);
  };
  const ownAre = (count) => until(page, (n) => [...document.querySelector("#s-level").options].filter((each) => each.textContent.includes("(own)")).length === n, count);
  assert.ok(await page.locator("#s-delete").isHidden(), "shipped levels cannot be deleted");
  await take(level(0));
  await ownAre(1);
  await take(level(1), level(2));
  await ownAre(3);
  assert.deepEqual(await own(), ["My level 1 (own)", "My level 2 (own)", "My level 3 (own)"]);
  await page.click("#s-own");
  await page.setInputFiles("#own-file", { name: "garden.xsb", mimeType: "text/plain", buffer: Buffer.from(`${level(3)}\nTitle: Gate\n\n${level(4)}\n`) });
  await until(page, () => /Gate/.test(document.querySelector("#own-text").value));
  await page.click('#own-dialog button[value="ok"]');
  await until(page, () => /Gate/.test(document.querySelector("#s-level").selectedOptions[0]?.textContent));
  assert.deepEqual((await own()).slice(3), ["Gate (own)", "garden 1 (own)"]);
  await page.click("#s-delete");
  await until(page, () => /Deleted Gate/.test(document.querySelector("#s-message").textContent));
  assert.ok(!(await own()).includes("Gate (own)"));
  await page.click('#s-message button:has-text("Restore")');
  await until(page, () => [...document.querySelector("#s-level").options].some((each) => /Gate/.test(each.textContent)));
}));

test("the dialog's ranges are those of the service", async () => {
  const { components } = await (await fetch(`${address()}/api/v1/openapi.json`)).json();
  const { width, height, boxes, players } = components.schemas.GenerateBody.oneOf.find(({ properties }) => properties.boxes).properties;
  await withPage("sokoban", { tolerate: /status of 4\d\d/ }, async (page) => {
    await until(page, () => document.querySelector("#s-level").options.length > 1);
    const range = (id) => page.locator(`#make-${id}`).evaluate(({ min, max }) => [Number(min), Number(max)]);
    assert.deepEqual(await range("width"), [width.minimum, width.maximum]);
    assert.deepEqual(await range("height"), [height.minimum, height.maximum]);
    assert.equal((await range("boxes"))[0], boxes.minimum);
    assert.equal((await range("players"))[0], players.minimum);
    await page.click("#s-own");
    await page.fill("#make-width", "8");
    await page.fill("#make-height", "7");
    await page.fill("#make-least", "4");
    await page.click('#own-dialog button[value="make"]');
    await until(page, () => /Random 8×7, 2 boxes/.test(document.querySelector("#s-level").selectedOptions[0]?.textContent));
    await page.click("#s-own");
    await page.fill("#make-width", "4");
    await page.click('#own-dialog button[value="make"]');
    assert.match(await text(page, "#own-dialog .problem"), /Columns: .*5 to 40/);
  });
});

test("a box is visible while its cell has the focus", () => withPage(PLAIN, { reducedMotion: "reduce" }, async (page) => {
  const box = await page.locator(".piece.box").boundingBox();
  const clip = { x: box.x + box.width * 0.3, y: box.y + box.height * 0.3, width: box.width * 0.4, height: box.height * 0.4 };
  const before = await page.screenshot({ clip });
  await page.keyboard.press("Tab");
  await page.locator("#s-board [tabindex='0']").focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(`Shift+${key}`);
  assert.match(await page.evaluate(() => document.activeElement.matches(":focus-visible") && document.activeElement.ariaLabel), /^box/);
  assert.ok(before.equals(await page.screenshot({ clip })), "it looks the same");
}));

test("a hint is gone once the plan is played", () => withPage(ONE, {}, async (page) => {
  await page.click("#s-hint");
  await until(page, () => document.querySelectorAll(".piece.box.hinted").length === 1);
  await page.click("#s-solve");
  await until(page, () => document.querySelector("#s-playback").classList.contains("on"));
  await page.click('#s-playback [aria-label="To the start"]');
  assert.equal(await page.locator(".piece.box.hinted").count(), 0);
}));

test("a link without a level that can be played leaves the game and says what is wrong", async () => {
  for (const [level, words] of [["zzz", /cannot be played. There is no player/], ["7w.w-p-b-w.7w", /There is no goal/], [`${"100-".repeat(200)}p`, /too large/]]) {
    await withPage(`sokoban?level=${level}`, {}, async (page) => {
      await until(page, () => document.querySelector("#s-message").classList.contains("bad"));
      assert.match(await text(page, "#s-message"), words);
      assert.equal(await text(page, "#s-home"), "0 / 1", "the first level");
    });
  }
});

test("a link opens its level to play, also from the editor", () => withPage(PLAIN, {}, async (page) => {
  await page.click("#s-edit");
  await page.evaluate((hash) => (location.hash = hash), ONE);
  await until(page, () => document.querySelectorAll("#s-board .ground").length === 15);
  assert.ok(await page.locator("#s-drawing").isHidden());
  await page.keyboard.press("ArrowLeft");
  assert.equal(await text(page, "#s-moves"), "1");
}));

test("levels beyond what the browser keeps are named, and the first one is played", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  const rows = (i) => [...i.toString(2).padStart(11, "0")].map((bit) => (bit === "1" ? "#" : " ")).join(""); // all different
  const many = Array.from({ length: 2001 }, (_, i) => `Title: L${i}\n#############\n#@$.        #\n#${rows(i)}#\n#############\n`);
  await page.click("#s-own");
  await page.evaluate((levels) => (document.querySelector("#own-text").value = levels), many.join("\n"));
  await page.click('#own-dialog button[value="ok"]');
  await until(page, () => /no room for all/.test(document.querySelector("#s-message").textContent));
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("noyes.levels")).length), 2000);
  assert.match(await page.evaluate(() => document.querySelector("#s-level").selectedOptions[0].textContent), /L0/);
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.click("#s-own");
  await page.fill("#own-text", "#####\n#@$.#\n#####");
  await page.click('#own-dialog button[value="ok"]');
  await until(page, () => /no room for all/.test(document.querySelector("#s-message").textContent) && document.querySelectorAll("#s-board .ground").length === 3);
}));

test("a level from a link that is solved at its optimum is praised", () => withPage(PLAIN, {}, async (page) => {
  await until(page, () => document.querySelector("#s-optimal").textContent === "1");
  await page.keyboard.press("ArrowRight");
  await until(page, () => /Solved with 1 move and 1 push: no plan has fewer pushes/.test(document.querySelector("#s-message").textContent));
}));

test("importing a collection again adds nothing", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  const count = () => page.locator("#s-level option").count();
  const before = await count();
  const take = async (content) => {
    await page.click("#s-own");
    await page.fill("#own-text", content);
    await page.click('#own-dialog button[value="ok"]');
    await until(page, () => !document.querySelector("#own-dialog").open);
    await page.waitForTimeout(300);
  };
  const own = "Title: One\n#####\n#@$.#\n#####\n\nTitle: Two\n######\n#@ $.#\n######\n";
  await take(own);
  assert.equal(await count(), before + 2);
  await take(own);
  assert.equal(await count(), before + 2);
  assert.match(await text(page, "#s-message"), /All 2 levels are in the list already/);
  assert.match(await page.evaluate(() => document.querySelector("#s-level").selectedOptions[0].textContent), /One/);
  await take(own.replaceAll(/^#/gm, "  #").replaceAll("Title: ", "Title: The same as "));
  assert.equal(await count(), before + 2, "written in another way");
  const shipped = await (await fetch(`${address()}/api/v1/levels`)).json();
  await take(shipped.map(({ puzzle, title }) => `Title: ${title}\n${puzzle}\n`).join("\n"));
  assert.equal(await count(), before + 2, "the levels that come with the program");
}));

test("a level can be resized, and undo restores its size", () => withPage(PLAIN, {}, async (page) => {
  const size = () => page.evaluate(() => ["--columns", "--rows"].map((name) => Number(document.querySelector("#s-board").style.getPropertyValue(name))));
  await page.keyboard.press("e");
  assert.deepEqual(await size(), [7, 5]);
  await page.fill("#s-height", "6");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll("#s-board [role=row]").length === 6);
  await page.fill("#s-width", "9");
  await page.keyboard.press("Tab");
  assert.deepEqual(await size(), [9, 6]);
  await page.click('[role="radio"]:has-text("Floor")');
  for (let column = 1; column <= 7; column++) await page.click(`[aria-label^="wall, row 1, column ${column}"]`);
  assert.deepEqual(await size(), [9, 6], "an empty row stays while drawing");
  await page.click("#s-undo");
  for (let i = 0; i < 6; i++) await page.keyboard.press("u");
  await page.keyboard.press("u");
  assert.deepEqual(await size(), [7, 6]);
  assert.equal(await page.inputValue("#s-width"), "7");
  await page.keyboard.press("u");
  assert.deepEqual(await size(), [7, 5]);
  await page.fill("#s-width", "2");
  await page.keyboard.press("Tab");
  assert.deepEqual(await size(), [7, 5], "too small is refused");
}));

test("a level can be drawn by pointer and by typing", () => withPage(PLAIN, {}, async (page) => {
  await page.keyboard.press("e");
  await page.click('[role="radio"]:has-text("Wall")');
  await page.locator('[aria-label^="floor, row 2, column 2"]').click();
  await counts(page, '[aria-label^="wall, row 2, column 2"]', 1);
  await page.locator('[aria-label^="floor, row 2, column 3"]').focus();
  await page.keyboard.press("$");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press(".");
  await counts(page, '[aria-label^="box, row 2, column 3"]', 1);
  await counts(page, '[aria-label^="floor, goal, row 2, column 4"]', 1);
  await page.keyboard.press("u");
  assert.equal(await page.locator('[aria-label^="floor, goal, row 2, column 4"]').count(), 0);
  await page.keyboard.press("y");
  await shot(page, "sokoban-editor");
  await page.keyboard.press("e");
  assert.match(await text(page, "#s-message"), /Ready to play/);
}));

test("the game survives a reload", () => withPage("sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  await page.click("#s-next");
  const level = await page.inputValue("#s-level");
  for (const key of ["a", "w", "d", "s"]) await page.keyboard.press(key);
  const moves = await text(page, "#s-moves");
  assert.notEqual(moves, "0");
  await page.reload();
  await until(page, (n) => document.querySelector("#s-moves").textContent === n, moves);
  assert.equal(await page.inputValue("#s-level"), level);
}));

test("undo and redo survive a reload", () => withPage(ONE, {}, async (page) => {
  for (const key of ["a", "w", "u"]) await page.keyboard.press(key);
  await page.click("#s-next"); // another level is a step, too
  await page.click("#s-undo");
  assert.equal(await text(page, "#s-moves"), "1");
  await page.goto(page.url().replace(/#.*/, "#sokoban")); // without the level of the link
  await page.reload();
  await until(page, () => document.querySelector("#s-moves").textContent === "1");
  await page.click("#s-undo");
  assert.equal(await text(page, "#s-moves"), "0");
  await page.click("#s-redo");
  await counts(page, '[aria-label^="player, row 4, column 3"]', 1);
  await page.click("#s-redo");
  assert.notEqual(await page.inputValue("#s-level"), "-1");
}));

test("a link carries level and moves", () => withPage(ONE, {}, async (page) => {
  await page.keyboard.press("a");
  await page.keyboard.press("w");
  await page.click("#s-share");
  const shared = await page.inputValue("#share-link");
  await withPage(shared.split("#")[1], {}, async (other) => {
    await until(other, () => document.querySelector("#s-playback output").textContent === "2 / 2");
    assert.equal(await text(other, "#s-pushes"), "1");
  });
}));

test("the service and the page agree on the letters of plans", async () => {
  const { plan } = await hintFor("#####\n#@$.#\n#####");
  assert.equal(plan, "R");
});

test("the optimum appears when the service is back, without a move", () => withPage(ONE, { tolerate: /ERR_FAILED/, prepare: (page) => page.route("**/api/v1/hint", (route) => route.abort()) }, async (page) => {
  const failed = await page.waitForEvent("requestfailed", (request) => request.url().endsWith("/hint"));
  assert.ok(failed);
  assert.equal(await text(page, "#s-optimal"), "…");
  await page.unroute("**/api/v1/hint");
  await until(page, () => document.querySelector("#s-optimal").textContent === "2");
  assert.equal(await text(page, "#s-moves"), "0");
}));
