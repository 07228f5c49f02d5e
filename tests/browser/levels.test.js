// Collections of levels: folders, XSB with titles and solutions in and out, turning and mirroring.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { counts, findings, shot, start, stop, text, until, withPage } from "./harness.js";

const ROOM = "sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w"; // one push
const FILE = `Collection: Two rooms
; a comment

#######
#     #
# @$. #
#     #
#######
Title: Right
Solution/Moves: 1/1
R

######
#    #
# .$@#
#    #
######
Title: Left
Solution: rrrr

#####
#   #
#@$.#
#   #
#####
Title: Short
Solution
R
`;

before(start);
after(stop);

/** Adds the levels of a file. */
async function add(page, name, content) {
  await page.click("#s-own");
  await page.setInputFiles("#own-file", { name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await until(page, (first) => document.querySelector("#own-text").value.startsWith(first), content.slice(0, 12));
  await page.click('#own-dialog button[value="ok"]');
  await page.waitForSelector("#own-dialog:not([open])", { state: "attached" });
}

test("a file becomes a folder, with its titles and the solutions that are right", () => withPage(ROOM, {}, async (page) => {
  await add(page, "rooms.sok", FILE);
  await until(page, () => document.querySelector("#s-folder").textContent === "Two rooms");
  assert.match(await text(page, "#s-message"), /Right\. It came with a solution: 1 move, 1 push/);
  const folder = await page.$$eval('#s-level optgroup[label="Two rooms"] option', (all) => all.map((option) => option.textContent.replace(/^\d+\. /, "")));
  assert.deepEqual(folder, ["Right (own)", "Left (own)", "Short (own)"]);
  await page.click("#s-next");
  assert.equal(await text(page, "#s-message p"), "Left", "a wrong solution is not offered");
  await page.click("#s-next");
  await page.click('#s-message button:has-text("Play it back")');
  await until(page, () => document.querySelectorAll(".piece.box.home").length === 1);
  await counts(page, '#s-level optgroup[label="noyes"] option', 100);
}));

test("a folder is exported with titles and solutions, and can be read back", () => withPage(ROOM, {}, async (page) => {
  await add(page, "rooms.sok", FILE);
  await until(page, () => document.querySelector("#s-folder").textContent === "Two rooms");
  await page.click("#s-next"); // Left
  await page.keyboard.press("ArrowLeft");
  await until(page, () => /Solved with 1 move/.test(document.querySelector("#s-message").textContent));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#s-export")]);
  assert.equal(download.suggestedFilename(), "Two rooms.xsb");
  const written = await readFile(await download.path(), "utf8");
  assert.match(written, /^Collection: Two rooms\n/);
  assert.match(written, /# \.\$@#\n#    #\n######\nTitle: Left\nSolution: L\n/, "the player's own solution");
  assert.match(written, /Title: Right\nSolution: R\n/, "the solution of the file");
  const again = await page.evaluate(async (content) => (await import("/sokoban/level.js")).read(content).map(({ title, solution }) => [title, solution]), written);
  assert.deepEqual(again, [["Right", "R"], ["Left", "L"], ["Short", "R"]]);
}));

test("a folder can be renamed, joined with another, deleted and restored", () => withPage(ROOM, {}, async (page) => {
  const folders = () => page.$$eval("#s-level optgroup", (all) => all.map((group) => `${group.label}: ${group.children.length}`));
  const rename = async (name) => {
    await page.click("#s-folder-rename");
    await page.fill("#folder-name", name);
    await page.keyboard.press("Enter");
  };
  assert.equal(await page.locator("#s-folder-rename").isVisible(), false, "a level from a link is in no folder");
  await add(page, "rooms.sok", FILE);
  await until(page, () => document.querySelector("#s-folder").textContent === "Two rooms");
  await rename("noyes");
  assert.match(await text(page, "#folder-dialog .problem"), /for the levels that come with noyes/);
  await page.fill("#folder-name", "Rooms");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector("#s-folder").textContent === "Rooms");
  assert.match(await text(page, "#s-message"), /is called Rooms now/);
  assert.deepEqual(await folders(), ["noyes: 100", "Rooms: 3"]);

  await add(page, "other.xsb", "######\n#@ $.#\n######\nTitle: Other\n");
  await until(page, () => document.querySelector("#s-folder").textContent === "other");
  await rename("Rooms");
  await until(page, () => /of other are in Rooms now/.test(document.querySelector("#s-message").textContent));
  assert.deepEqual(await folders(), ["noyes: 100", "Rooms: 4"]);
  await page.reload();
  await page.waitForSelector('#s-level optgroup[label="Rooms"]', { state: "attached" });

  await page.selectOption("#s-level", "101");
  await page.click("#s-folder-delete");
  await until(page, () => /Deleted Rooms with 4 levels/.test(document.querySelector("#s-message").textContent));
  assert.deepEqual(await folders(), ["noyes: 100"]);
  await page.click('#s-message button:has-text("Restore")');
  await until(page, () => document.querySelectorAll("#s-level optgroup").length === 2);
  assert.deepEqual(await folders(), ["noyes: 100", "Rooms: 4"]);
  await page.selectOption("#s-level", "0");
  assert.equal(await page.locator("#s-folder-delete").isVisible(), false, "the levels of noyes stay");
}));

test("all levels are shown by folder, with how many are solved", () => withPage(ROOM, {}, async (page) => {
  await add(page, "rooms.sok", FILE);
  await until(page, () => document.querySelector("#s-folder").textContent === "Two rooms");
  await page.keyboard.press("ArrowRight");
  await until(page, () => /Solved with 1 move/.test(document.querySelector("#s-message").textContent));
  await page.click("#s-all");
  const groups = await page.$$eval("#levels-list section", (all) => all.map((group) => `${group.querySelector("h3").textContent}: ${group.querySelectorAll("button").length}`));
  assert.deepEqual(groups, ["noyes 0 of 100 solved: 100", "Two rooms 1 of 3 solved: 3"]);
  assert.deepEqual(await findings(page), []);
  await shot(page, "levels-folders");
  await page.locator("#levels-list section").last().locator("button").nth(1).click();
  await until(page, () => document.querySelector("#s-message p").textContent === "Left");
}));

test("solutions are read as other programs write them", () => withPage("sokoban", {}, async (page) => {
  const read = (content) => page.evaluate(async (given) => (await import("/sokoban/level.js")).read(given).map(({ title, solution }) => [title, solution ?? null]), content);
  const rows = "#####\n#@$.#\n#####\n";
  assert.deepEqual(await read(`${rows}Title: A\nSolution: R\n\n${rows}Title: B\n`), [["A", "R"], ["B", null]]);
  assert.deepEqual(await read(`; A\n\n${rows}; Solution: 2r\nU\n`), [["A", "rrU"]]);
  assert.deepEqual(await read(`${rows}Title: A\nSolution/Pushes\nrrUU\nll\n\nSolution/Moves\nd\nAuthor: x\n${rows}Title: B`), [["A", "rrUUll"], ["B", null]]);
  assert.deepEqual(await read(`${rows}Title: The solution\n\n${rows}Title: Dull\n`), [["The solution", null], ["Dull", null]]);
}));

test("levels can be turned and mirrored; the par stays", () => withPage("sokoban", {}, async (page) => {
  const shape = () => page.evaluate(() => [...document.querySelectorAll("#s-board [role=row]")].map((row) => [...row.children].map((cell) => (cell.querySelector(".wall") ? "#" : " ")).join("")));
  const par = await text(page, "#s-par-pushes");
  const first = await shape();
  await page.click("#s-mirror");
  assert.deepEqual(await shape(), first.map((row) => [...row].reverse().join("")));
  await page.click("#s-mirror");
  for (let i = 0; i < 3; i++) await page.click("#s-turn");
  const left = [...first[0]].map((_, x) => first.map((row) => row[x]).join("")).reverse();
  assert.deepEqual(await shape(), left);
  assert.equal(await text(page, "#s-par-pushes"), par);
  await page.click("#s-turn");
  assert.deepEqual(await shape(), first);
}));

test("a level is copied as XSB with its title", () => withPage("sokoban", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  await page.click("#s-copy");
  await until(page, () => document.querySelector("#s-message").textContent.startsWith("Copied"));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[-# @$.*+\n]+\nTitle: First Push\n$/);
}));

test("the editor starts blank on request, and says whether the level can be solved", () => withPage("sokoban", { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  let asked = 0;
  page.on("request", (request) => (asked += request.url().endsWith("/solve")));
  await page.click("#s-own");
  await page.click('#own-dialog [value="draw"]');
  // The page draws once the dialog has said that it is closed, which is a little after the click.
  await until(page, () => document.querySelectorAll("#s-board .piece").length === 0); // nothing but walls and floor
  await counts(page, "#s-board .ground:not(.wall)", 42);
  const draw = async (mark, ...places) => {
    await page.click(`#s-palette [data-mark="${mark}"]`);
    for (const place of places) await page.click(`#s-board [aria-label$="${place}"]`);
  };
  await draw("@", "row 2, column 2");
  await draw(".", "row 2, column 7");
  assert.equal(asked, 0, "a drawing that is not complete is not asked about");
  await draw("$", "row 3, column 4");
  await until(page, () => document.querySelector("#s-message").textContent === "Solvable, par 4 pushes.");
  await draw("$", "row 7, column 2");
  await draw(".", "row 2, column 6");
  await until(page, () => /^Unsolvable: .*\.$/.test(document.querySelector("#s-message p").textContent));
  assert.match(await page.getAttribute("#s-message", "class"), /bad/);
  assert.ok(asked <= 4, `${asked} questions for six strokes`);
  await page.click("#s-undo");
  await page.click("#s-undo");
  await until(page, () => document.querySelector("#s-message").textContent === "Solvable, par 4 pushes.");
  await page.fill("#s-title", "My first");
  await page.click("#s-copy");
  await until(page, () => document.querySelector("#s-message").textContent.startsWith("Copied"));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^#########\n#@    \. ?#\n[\s\S]*Title: My first\n$/);
  await page.click("#s-edit");
  await until(page, () => /My first/.test(document.querySelector('#s-level option:checked')?.textContent));
}));

test("reverse play: pulled back to the start, the moves are a solution", () => withPage("sokoban?level=8w.w6-w.w-p-b-ow.w6-w.8w", {}, async (page) => {
  await page.click("#s-pull");
  await page.waitForSelector("#p-board .ground");
  await counts(page, '#p-board [aria-label^="box, row 3, column 7"]', 1, "the box is on the goal");
  await counts(page, '#p-board [aria-label^="floor, goal, row 3, column 5"]', 1, "and belongs where it was");
  await page.click('#p-board [aria-label$="row 3, column 6"]');
  await page.keyboard.press("ArrowLeft"); // walks
  await counts(page, '#p-board [aria-label^="box, row 3, column 7"]', 1);
  await page.keyboard.press("u");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.check("#p-pull");
  await page.keyboard.press("ArrowLeft");
  assert.match(await text(page, "#p-message"), /Done! Forwards, this is a solution: 3 moves, 2 pushes/);
  await page.click('#p-message button:has-text("Play it forwards")');
  await until(page, () => document.querySelectorAll("#s-board .piece.box.home").length === 1);
  assert.equal(await text(page, "#s-pushes"), "2");
}));

test("reverse play: the boxes are back, but the way to the start is closed; a crew is refused", () => withPage("pull?level=7w.3wp3w.wo-b--w.w5-w.7w", {}, async (page) => {
  await page.click('#p-board [aria-label$="row 3, column 3"]');
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight"); // the box closes the door to the start
  assert.match(await text(page, "#p-message"), /All boxes are back, but you cannot get to your start, row 2, column 4/);
  await page.evaluate(() => (location.hash = "pull?level=9w.wp-b---ow.w3-w3-w.wp-b---ow.9w"));
  await until(page, () => /for one player/.test(document.querySelector("#p-message").textContent));
}));

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["desktop", { width: 1366, height: 768 }], ["phone", { width: 390, height: 844 }], ["side", { width: 844, height: 390 }]]) {
    test(`axe finds nothing serious: reverse play, ${name}, ${colorScheme}`, () => withPage("pull?level=8w.w6-w.w-p-b-ow.w6-w.8w", { colorScheme, viewport }, async (page) => {
      assert.deepEqual(await findings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is too wide");
      await shot(page, `pull-${name}-${colorScheme}`);
    }));
  }
}
