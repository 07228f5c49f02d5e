// Both games in Firefox, if it is installed: FIREFOX names the program, otherwise it is firefox-esr or firefox.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { firefox } from "./bidi.js";
import { link, serve } from "./harness.js";

const installed = (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
const program = process.env.FIREFOX ?? ["firefox-esr", "firefox"].find(installed);
const skip = program ? false : "no Firefox (apt-get install firefox-esr)";
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MIDDLE = "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"; // 38 moves
const ROOM = "sokoban?level=7w.w--o--w.w-b---w.w--p--w.7w"; // 2 pushes

let url = process.env.NOYES_URL;
let server = null;
let browser = null;
before(async () => {
  if (skip) return;
  if (!url) ({ server, url } = await serve(process.env.PAGE));
  browser = await firefox(program);
});
after(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
});

/** Runs a test in a tab of its own, and fails if the page reports an error. */
async function withTab(hash, size, run) {
  const page = await browser.open(`${url}/#${hash}`, size);
  await run(page);
  assert.deepEqual(await page.close(), [], "the page reported errors");
}

async function shot(page, name) {
  await writeFile(`${process.env.SCREENSHOTS ?? tmpdir()}/firefox-${name}.png`, await page.picture());
}

async function serious(page) {
  await page.run(`(() => { ${axe}; })()`);
  return page.run(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id }) => id))`);
}

test("tiles: a move, a hint, a plan", { skip }, () => withTab(link(MIDDLE), {}, async (page) => {
  await page.until("#t-optimal", /^38$/);
  await page.press("ArrowUp");
  await page.until("#t-moves", /^1$/);
  await page.press("u");
  await page.until("#t-moves", /^0$/);
  await page.click("#t-board [role=row]:nth-child(2) .cell:nth-child(3) .tile");
  await page.until("#t-moves", /^1$/);
  await page.press("u");
  await page.click("#t-hint");
  await page.until("#t-message", /Hint: slide a tile/);
  await page.click("#t-solve");
  await page.until("#t-message", /38 moves\. No plan is shorter/);
  await page.until("#t-playback output", /^[1-9]\d* \/ 38$/);
  await shot(page, "tiles");
  assert.deepEqual(await serious(page), []);
}));

test("Sokoban: a walk, a push, a hint, a plan", { skip }, () => withTab(ROOM, {}, async (page) => {
  await page.until("#s-optimal", /^2$/);
  await page.press("ArrowLeft", "ArrowUp"); // below the box, and a push
  await page.until("#s-pushes", /^1$/);
  await page.until("#s-optimal", /^1$/);
  await page.press("u");
  await page.click("#s-hint");
  await page.until("#s-message", /Hint: the outlined box/);
  await shot(page, "sokoban");
  assert.deepEqual(await serious(page), []);
  await page.click("#s-solve");
  await page.until("#s-message", /No plan has fewer pushes/);
  await page.until("#s-home", /1 \/ 1/);
}));

test("every view opens, also on a phone", { skip }, async () => {
  for (const view of ["daily", "speed", "teach", "race"]) {
    await withTab(view, { width: 390, height: 844 }, async (page) => {
      await page.until(`#${view}`, /\w/);
      assert.ok(await page.run("document.documentElement.scrollWidth <= innerWidth"), `${view}: nothing is too wide`);
      await shot(page, `${view}-phone`);
    });
  }
});
