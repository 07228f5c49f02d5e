// A level that is too large to be solved in the time that the server allows: the page says what was reached, and that this
// is not the same as having no solution.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve, shot, stop, text, until, withSite } from "./harness.js";

/** A hall with boxes in its upper half and goals in its lower half. Its plans have thousands of pushes. */
function hall(size, boxes) {
  const cells = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => (x % (size - 1) && y % (size - 1) ? " " : "#")));
  const spots = (y) => Array.from({ length: Math.floor((size - 4) / 3) }, (_, i) => [2 + 3 * i, y]);
  const rows = Math.ceil(boxes / spots(0).length);
  for (let row = 0; row < rows; row++) {
    for (const [x, y] of spots(2 + 3 * row)) cells[y][x] = "$";
    for (const [x, y] of spots(size - 3 - row)) cells[y][x] = ".";
  }
  cells[1][1] = "@";
  return cells.map((row) => row.join("")).join("\n");
}
const LEVEL = hall(48, 100);

let server = null;
let url = "";
before(async () => {
  ({ server, url } = await serve(process.env.PAGE, "--time-limit", "1s"));
  await launch();
});
after(async () => {
  await stop();
  server.kill("SIGTERM");
});

const withLevel = (level, run) => withSite(url, "sokoban", {}, async (page) => {
  await until(page, () => document.querySelector("#s-level").options.length > 1);
  await page.click("#s-own");
  await page.fill("#own-text", `Title: Mine\n${level}`);
  await page.click('#own-dialog button[value="ok"]');
  await until(page, () => /Mine/.test(document.querySelector("#s-level").selectedOptions[0]?.textContent));
  await run(page);
});
const said = (page, words) => until(page, (start) => document.querySelector("#s-message p").textContent.startsWith(start), words);

test("a level that is not solved in time says what was reached", () => withLevel(LEVEL, async (page) => {
  await page.click("#s-solve");
  await said(page, "No plan found");
  const [, states, pushes] = (await text(page, "#s-message p")).match(/^No plan found in [\d.]+ s and ([\d,]+) states; at least ([\d,]+) pushes are needed\. There may still be a plan/);
  assert.ok(Number(states.replaceAll(",", "")) > 0, states);
  assert.ok(Number(pushes.replaceAll(",", "")) > 1000, pushes);
  assert.equal(await page.locator('#s-message button:has-text("Search longer")').count(), 0, "the server allows no more");
  await shot(page, "large-solve");
}));

test("a hint says that there is no plan yet, and offers to solve", () => withLevel(LEVEL, async (page) => {
  await page.click("#s-hint");
  await said(page, "No hint: no plan was found");
  assert.match(await text(page, "#s-message p"), /at least [\d,]{4,} pushes are needed/);
  await shot(page, "large-hint");
  await page.click('#s-message button:has-text("Solve")');
  await said(page, "No plan found");
}));

test("a level without a solution gets another answer", () => withLevel("#####\n#@$.#\n#  $#\n#.  #\n#####", async (page) => {
  await page.click("#s-solve");
  // The warning about a deadlock, with the same reason, may come after the answer.
  await until(page, () => /^(This cannot be solved|Stuck): the area behind the boxes/.test(document.querySelector("#s-message p").textContent));
}));
