// The report of a real suite: every kind of plot, in light and dark, on a phone, and for screen readers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { counts, findings, launch, shot, stop, withFile } from "./harness.js";

/** Boards that all engines solve, one that no engine solves within two seconds, and a table. */
const SUITE = `
title = "A small race"
source = "A paper that measured the same, table 1"
about = "Runs for the tests of the report."
time-limit = "2s"
memory-limit = "1GiB"
repetitions = 2

[[instances]]
name = "near"
generate = "3x3 -n 4 --distance 10 --seed 1"
[[instances]]
name = "farther"
generate = "3x3 -n 4 --distance 16 --seed 1"
[[instances]]
name = "far"
puzzles = ["15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0"]
tags = { distance = 60 }

[[configurations]]
name = "A* walking"
command = "solve --engine astar --heuristic walking"
[[configurations]]
name = "IDA* Manhattan"
command = "solve --engine idastar --heuristic manhattan"
[[configurations]]
name = "breadth first"
command = "solve --engine bfs"
[[configurations]]
name = "SAT"
command = "solve --engine sat"
[[configurations]]
name = "tables"
command = "pdb histogram 4-4 --size 3x3"
alone = true

[[said]]
configuration = "A* walking"
measure = "wall_s"
statistic = "mean"
value = 2.5
note = "on a machine of 2016"

[[views]]
kind = "table"
title = "Times"
columns = [{ measure = "wall_s", statistic = "mean" }, { measure = "wall_s", statistic = "median" }, { measure = "expanded", statistic = "median" }]
[[views]]
kind = "cross"
title = "Board by board"
rows = "instance"
measure = "wall_s"
statistic = "median"
[[views]]
kind = "cactus"
title = "Boards solved within a time"
measure = "wall_s"
[[views]]
kind = "scatter"
title = "SAT against A*"
measure = "wall_s"
across = "A* walking"
up = "SAT"
[[views]]
kind = "growth"
title = "Time against distance"
across = "distance"
measure = "wall_s"
log = true
[[views]]
kind = "histogram"
title = "How long runs take"
measure = "wall_s"
log = true
[[views]]
kind = "entries"
title = "Entries of the tables"
`;

let folder;
let report;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "noyes-report-"));
  await writeFile(join(folder, "race.toml"), SUITE);
  const noyes = (...args) => execFileSync(process.env.NOYES, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  noyes("bench", "run", "race.toml");
  noyes("bench", "report");
  report = join(folder, "bench-results", "report.html");
  await launch();
});

after(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

for (const colorScheme of ["light", "dark"]) {
  test(`plots and tables are there and readable, ${colorScheme}`, () => withFile(report, { colorScheme }, async (page) => {
    await counts(page, "figure svg[role=img]", 5);
    assert.ok((await page.locator("figure svg .mark").count()) > 50);
    assert.match(await page.locator("td.paper").first().innerText(), /2.50 s \[a\]/);
    assert.match(await page.locator("main").innerText(), /virtual best/);
    assert.match(await page.locator("main").innerText(), /16 of 18/, "the far board is counted");
    assert.deepEqual(await findings(page), []);
    await shot(page, `report-${colorScheme}`);
  }));
}

test("no text in a plot is cut off or overlaps another", () => withFile(report, {}, async (page) => {
  const faults = await page.evaluate(() => [...document.querySelectorAll("figure svg")].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => ({ says: text.textContent, box: text.getBoundingClientRect() }));
    const out = texts.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
    const over = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top + 3 < b.box.bottom - 3 && b.box.top + 3 < a.box.bottom - 3).map((b) => `${a.says} over ${b.says}`));
    return [...out.map(({ says }) => `${says} is cut off`), ...over];
  }));
  assert.deepEqual(faults, []);
}));

test("light and dark differ, and print is always light", async () => {
  const colours = (page) => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("svg .s0")).stroke]);
  let light;
  await withFile(report, { colorScheme: "light" }, async (page) => (light = await colours(page)));
  await withFile(report, { colorScheme: "dark" }, async (page) => {
    const dark = await colours(page);
    assert.notEqual(dark[0], light[0]);
    assert.notEqual(dark[1], light[1]);
    await page.emulateMedia({ media: "print" });
    assert.deepEqual(await colours(page), light);
  });
});

for (const width of [320, 390, 1024, 2560]) {
  test(`the page does not scroll sideways at ${width}`, () => withFile(report, { viewport: { width, height: 700 } }, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const small = await page.evaluate(() => Math.min(...[...document.querySelectorAll("figure svg text")].map((text) => text.getBoundingClientRect().height)));
    assert.ok(small >= 8, `text in plots is ${small} pixels high`);
    if (width < 1000) await shot(page, `report-${width}`);
  }));
}

test("wide plots scroll by keyboard", () => withFile(report, { viewport: { width: 320, height: 600 } }, async (page) => {
  const box = page.locator("figure .scroll").first();
  await box.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector("figure .scroll").scrollLeft > 0);
}));
