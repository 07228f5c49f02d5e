// The race in a real browser: engines side by side, a table and a file in the end.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { shot, start, stop, text, until, withPage } from "./harness.js";

before(start);
after(stop);

test("several engines race on one board and agree", () => withPage("race?puzzle=8%206%207%2F2%205%204%2F3%200%201", {}, async (page) => {
  await page.click("#r-start");
  await page.waitForSelector(".lane");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.equal(await page.locator(".lane .state.done").count(), 6);
  assert.match(await text(page, "#r-message"), /was first: 31 moves, proven optimal/);
  assert.equal(await page.locator("#r-table tr").count(), 6);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#r-download")]);
  const { results, schema } = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.equal(schema, "noyes-race/1");
  assert.deepEqual(new Set(results.map(({ record }) => record.cost)), new Set([31]));
  await shot(page, "race");
}));

test("engines race on a level, too, and agree", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  const optima = await page.locator("#r-table tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent).join()));
  assert.deepEqual([...new Set(optima)], ["optimal,4,4"]);
}));

test("bounds close in live, and a race can be stopped", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0"); // too far for either
  await page.evaluate(() => document.querySelectorAll("#r-choice input").forEach((box) => (box.checked = false)));
  await page.check('#r-choice label:has-text("IDA*, Manhattan") input');
  await page.check('#r-choice label:has-text("SAT, rotated") input');
  await page.click("#r-start");
  await until(page, () => document.querySelectorAll("#r-bounds path").length >= 2);
  await until(page, () => Number(document.querySelector(".lane .figures b").textContent) > 30);
  await page.click("#r-stop");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-message"), /Nobody proved an optimum/);
}));

test("a board that cannot be solved is said to be so", () => withPage("race?puzzle=1%202%203%2F4%205%206%2F8%207%200", {}, async (page) => {
  await page.click("#r-start");
  await until(page, () => /cannot be solved/.test(document.querySelector("#r-message").textContent));
}));

test("a board that is none is refused in words", () => withPage("race", { tolerate: /status of 4\d\d/ }, async (page) => {
  await page.fill("#r-board", "1 2 3/4 5");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.ok((await text(page, ".lane:first-child .figures")).length > 20);
  assert.equal(await text(page, ".lane:first-child .state"), "refused");
}));
