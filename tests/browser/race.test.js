// The race in a real browser: engines side by side, and a table and a file at the end.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { address, counts, shot, start, stop, text, until, withPage } from "./harness.js";

before(start);
after(stop);

test("several engines race on one board and agree", () => withPage("race?puzzle=8%206%207%2F2%205%204%2F3%200%201", {}, async (page) => {
  await page.click("#r-start");
  await page.waitForSelector(".lane");
  await until(page, () => !document.querySelector("#r-download").disabled);
  await counts(page, ".lane .state.done", 6);
  assert.match(await text(page, "#r-message"), /was first: 31 moves, proven optimal/);
  await counts(page, "#r-table tr", 6);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#r-download")]);
  const { results, schema } = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.equal(schema, "noyes-race/1");
  assert.deepEqual(new Set(results.map(({ record }) => record.cost)), new Set([31]));
  await shot(page, "race");
}));

test("finished bars are full, and both plots can be saved as one SVG file", () => withPage("race?puzzle=1%202%203%2F4%200%206%2F7%205%208", {}, async (page) => {
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-picture").disabled);
  await counts(page, ".lane", 6);
  await until(page, () => [...document.querySelectorAll(".lane .scale")].every((scale) => scale.querySelector(".lower").offsetWidth / scale.clientWidth > 0.98));
  const ticks = await page.locator("#r-bounds text[text-anchor=middle]").allTextContents();
  assert.deepEqual(ticks.slice(0, 3), ["0.001", "0.01", "0.1"], "logarithmic time");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#r-picture")]);
  const svg = await readFile(await download.path(), "utf8");
  assert.match(svg, /^<svg[^>]* viewBox=/);
  for (const name of ["A*, Manhattan", "SAT, lean", "Bounds over seconds"]) assert.ok(svg.includes(name), name);
  assert.doesNotMatch(svg, /class=|var\(/, "it needs no style sheet");
  const colours = new Set([...svg.matchAll(/stroke="(rgb[^"]*)"/g)].map(([, colour]) => colour));
  assert.ok(colours.size >= 6, "each engine has its colour");
  await page.setContent(svg); // a browser can read it
  assert.ok((await page.locator("svg").boundingBox()).height > 200);
}));

test("on a phone, a start leads to the lanes", () => withPage("race?puzzle=1%202%203%2F4%200%206%2F7%205%208", { viewport: { width: 390, height: 844 } }, async (page) => {
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  const { y } = await page.locator("#r-lanes").boundingBox();
  assert.ok(y >= -1 && y < 400, `the lanes begin at ${y}`);
}));

test("engines also race on a level and agree", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  const optima = await page.locator("#r-table tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent).join()));
  assert.deepEqual([...new Set(optima)], ["optimal,4,4"]);
}));

test("bounds close in live, and a race can be stopped", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0"); // too hard for both engines
  await page.evaluate(() => document.querySelectorAll("#r-choice input").forEach((box) => (box.checked = false)));
  await page.check('#r-choice label:has-text("IDA*, Manhattan") input');
  await page.check('#r-choice label:has-text("SAT, rotated") input');
  await page.click("#r-start");
  await until(page, () => document.querySelectorAll("#r-bounds path").length >= 2);
  await until(page, () => Number(document.querySelector(".lane .figures b").textContent) > 30);
  await page.click("#r-stop");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-message"), /No engine proved an optimum/);
}));

test("Stop stops every lane, including those beyond the browser's six connections", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0");
  await page.selectOption("#r-limit", "300");
  for (const box of await page.locator("#r-choice input").all()) await box.check();
  const lanes = await page.locator("#r-choice input").count();
  assert.ok(lanes > 6);
  const jobs = new Set();
  page.on("response", async (response) => response.url().endsWith("/solve") && jobs.add((await response.json()).id));
  await page.click("#r-start");
  await until(page, () => [...document.querySelectorAll(".lane .state")].some((each) => / s …/.test(each.textContent)));
  await page.click("#r-stop");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.equal(jobs.size, lanes);
  for (const id of jobs) {
    const { state } = await (await fetch(`${address()}/api/v1/jobs/${id}`)).json();
    assert.ok(!["queued", "running"].includes(state), `${id}: ${state}`);
  }
}));

test("jobs are followed by their events, and polled only beyond two at a time", () => withPage("race", {}, async (page) => {
  const [streams, polls] = [new Set(), new Set()];
  page.on("request", (request) => {
    const [, id, stream] = request.url().match(/jobs\/(\w+)(\/events)?$/) ?? [];
    if (id && request.method() === "GET") (stream ? streams : polls).add(id);
  });
  await page.fill("#r-board", "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0"); // too hard for these engines
  await page.evaluate(() => document.querySelectorAll("#r-choice input").forEach((box) => (box.checked = false)));
  for (const name of ["IDA*, Manhattan", "SAT, rotated"]) await page.check(`#r-choice label:has-text("${name}") input`);
  await page.click("#r-start");
  await until(page, () => [...document.querySelectorAll(".lane .state")].every((each) => / s …/.test(each.textContent)));
  await page.click("#r-stop");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.equal(streams.size, 2);
  assert.deepEqual([...polls], []);
}));

test("a job whose stream breaks is polled", () => withPage("race", {
  tolerate: /ERR_CONNECTION_RESET|ERR_FAILED/,
  prepare: (page) => page.route("**/events", (route) => route.abort("connectionreset")),
}, async (page) => {
  await page.evaluate(() => document.querySelectorAll("#r-choice input").forEach((box) => (box.checked = false)));
  await page.check('#r-choice label:has-text("IDA*, walking distance") input');
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-message"), /was first: 26 moves, proven optimal/);
}));

test("lines never go back or leave their plot, whatever the service reports", () => withPage("race", {
  prepare: async (page) => {
    const reports = [[1000, 10], [400, 12], [5000, 14]];
    await page.route("**/api/v1/solve", (route) => route.fulfill({ status: 202, json: { id: "x" } }));
    const known = (expanded, lower, elapsed_s) => ({ lower, upper: 40, expanded, conflicts: null, elapsed_s });
    const sent = (event, data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    const events = reports.map(([expanded, lower], i) => sent("progress", known(expanded, lower, 0.7 + i / 10)));
    events.push(sent("done", { ...known(4000, 20, 1), status: "limit", wall_s: 1, error: null }));
    await page.route("**/api/v1/jobs/x/events", (route) => route.fulfill({ contentType: "text/event-stream", body: events.join("") }));
  },
}, async (page) => {
  await page.evaluate(() => document.querySelectorAll("#r-choice input").forEach((box) => (box.checked = false)));
  await page.check('#r-choice label:has-text("IDA*, Manhattan") input');
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  for (const id of ["#r-work", "#r-bounds"]) {
    const lines = await page.locator(`${id} path`).evaluateAll((paths) => paths.map((path) => {
      const end = path.getTotalLength();
      return Array.from({ length: 200 }, (_, i) => path.getPointAtLength((end * i) / 199)).map(({ x, y }) => [x, y]);
    }));
    assert.ok(lines.length > 0);
    for (const points of lines) {
      for (let i = 1; i < points.length; i++) assert.ok(points[i][0] >= points[i - 1][0] - 0.1, "time moves forward");
      if (id === "#r-work") for (let i = 1; i < points.length; i++) assert.ok(points[i][1] <= points[i - 1][1] + 0.1, "work grows");
      assert.ok(points.every(([, y]) => y > 10), "there is room above");
    }
  }
}));

test("every engine of the papers has a lane that requests what its name says", () => withPage("race", {}, async (page) => {
  await page.fill("#r-board", "8 6 7/2 5 4/3 0 1");
  for (const label of await page.locator("#r-choice label").all()) await label.locator("input").setChecked(!/^SAT/.test(await label.innerText())); // SAT would take a minute
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-table"), /Auto \(\w+/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#r-download")]);
  const { results } = JSON.parse(await readFile(await download.path(), "utf8"));
  const expected = {
    "Dijkstra": ["dijkstra", null],
    "A*, misplaced tiles": ["astar", "misplaced"],
    "A*, X-Y (walking distance)": ["astar", "walking"],
    "A*, pattern databases": ["astar", "pdb:4-4"],
    "SMA*, Manhattan": ["sma", "manhattan"],
    "IDA*, pattern databases": ["idastar", "pdb:4-4"],
    "Human method (not optimal)": ["human"],
  };
  for (const { name, record } of results) {
    assert.ok(record.status === "optimal" ? record.cost === 31 : record.engine === "human" && record.cost >= 31, name);
    const [engine, heuristic] = expected[name] ?? [record.engine];
    assert.equal(record.engine, engine, name);
    if (heuristic !== undefined) assert.equal(record.heuristic, heuristic, name);
    delete expected[name];
  }
  assert.deepEqual(expected, {}, "all of them raced");
}));

test("an unsolvable board is reported", () => withPage("race?puzzle=1%202%203%2F4%205%206%2F8%207%200", {}, async (page) => {
  await page.click("#r-start");
  await until(page, () => /cannot be solved/.test(document.querySelector("#r-message").textContent));
}));

test("an invalid board is refused with a reason", () => withPage("race", { tolerate: /status of 4\d\d/ }, async (page) => {
  await page.fill("#r-board", "1 2 3/4 5");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.equal(await page.locator(".lane").count(), 0);
  assert.equal(await page.locator("#r-table tr").count(), 0);
  assert.match(await text(page, "#r-lanes"), /No engine could start: .*row/i);
  await counts(page, '#race :text("No engine could start")', 1, "the reason appears once");
  await page.fill("#r-board", "what is this");
  await page.click("#r-start");
  await until(page, () => /No engine could start: .*expected/.test(document.querySelector("#r-lanes").textContent));
}));

test("an unsolvable board does not hide an engine that was refused", () => withPage("race", {
  tolerate: /status of 4\d\d/,
  prepare: (page) => page.route("**/api/v1/solve", (route) => (route.request().postDataJSON().engine === "astar" ? route.fulfill({ status: 422, json: { detail: "heuristic: not for this board" } }) : route.continue())),
}, async (page) => {
  await page.fill("#r-board", "1 2 3/4 5 6/8 7 0");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-message"), /cannot be solved.*Refused: A\*, Manhattan \(heuristic: not for this board\)/s);
}));
