// What every browser test starts from: a server, a browser, and pages that record every error.

import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { chromium } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server = null;
let browser = null;
let url = process.env.NOYES_URL;

/** Starts Chromium, and the service on a free port unless NOYES_URL names one. PAGE is a folder to serve the page from. */
export async function start() {
  if (!url) ({ server, url } = await serve(process.env.PAGE));
  await launch();
}

/** Starts the service on a free port, perhaps with the page from a folder and with other options. */
export async function serve(page, ...options) {
  const service = spawn(process.env.NOYES, ["serve", "--port", "0", ...options, ...(page ? ["--page", page] : [])], { stdio: ["ignore", "pipe", "pipe"] });
  const at = await new Promise((resolve, reject) => {
    let said = "";
    const hear = (data) => {
      said += data;
      const address = said.match(/http:\/\/[\w.:[\]]+/);
      if (address) resolve(address[0].replace(/\/$/, ""));
    };
    service.stdout.on("data", hear);
    service.stderr.on("data", hear);
    service.on("exit", (code) => reject(new Error(`noyes serve ended with ${code}: ${said}`)));
  });
  return { server: service, url: at };
}

/** Starts only Chromium, for pages that need no service. */
export async function launch() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
}

export async function stop() {
  await browser?.close();
  server?.kill("SIGTERM");
}

export const address = () => url;

/**
 * Runs a test with its own page at `hash`, and fails if the page reports an error.
 * `prepare` gets the page before it is opened; `tolerate` matches errors that are expected.
 */
export const withPage = (hash, options, test) => withSite(url, hash, options, test);

/** What each view shows when it is ready. */
const READY = { tiles: "#t-board .tile", sokoban: "#s-board .ground", daily: "#d-tiles", speed: "#v-board .tile", teach: "#l-stages li", pull: "#p-board .ground", race: "#r-choice label" };

/** The same with a page at another address. */
export const withSite = (site, hash, options, test) => visit(`${site}/#${hash}`, READY[hash.split("?")[0]], options, test);

/** The same with a file. */
export const withFile = (path, options, test) => visit(`file://${path}`, "body", options, test);

async function visit(address, ready, options, test) {
  const { tolerate = null, workers = "block", prepare = null, ...context } = options;
  const own = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: workers, ...context });
  const complaints = [];
  const page = await own.newPage();
  page.setDefaultTimeout(20000);
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== new URL(address).origin) complaints.push(`request to another host: ${request.url()}`);
  });
  await prepare?.(page);
  try {
    await page.goto(address);
    await page.waitForSelector(ready);
    await test(page, own);
    const found = complaints.filter((text) => !tolerate?.test(text));
    assert.deepEqual(found, [], "the page reported errors");
  } finally {
    await own.close();
  }
}

/** The serious findings of axe, with their places. */
export async function findings(page) {
  await page.evaluate(axe); // from outside the page, where its content policy does not apply
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).slice(0, 3).join(" | ")}`);
}

/** Waits until `question` returns true in the page. */
export async function until(page, question, argument) {
  await page.waitForFunction(question, argument);
}

/** Waits a little until the page has this number of elements, because it draws after what was clicked. */
export async function counts(page, selector, number, why) {
  const elements = page.locator(selector);
  for (let tries = 0; tries < 100 && (await elements.count()) !== number; tries += 1) await page.waitForTimeout(50);
  assert.equal(await elements.count(), number, why ?? selector);
}

export const text = (page, selector) => page.locator(selector).innerText();

/** The board that the page shows, as text. */
export const boardOf = (page) => page.evaluate(() => {
  const tiles = [...document.querySelectorAll("#t-board [role=row]")].map((row) => [...row.querySelectorAll(".tile")].map((tile) => (tile.classList.contains("blank") ? "0" : tile.innerText.trim())).join(" "));
  return tiles.join("/");
});

/** The service's hint for a puzzle. */
export async function hintFor(puzzle, more = {}) {
  const response = await fetch(`${url}/api/v1/hint`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ puzzle, ...more }) });
  return response.json();
}

/** The arrow key that moves the blank in a letter's direction. The arrow names the tile's direction, the opposite one. */
export const ARROW = { L: "ArrowRight", R: "ArrowLeft", U: "ArrowDown", D: "ArrowUp" };
export const link = (board) => `tiles?board=${board.replaceAll(" ", "-").replaceAll("/", ".")}`;
export const shot = (page, name) => page.screenshot({ path: `${process.env.SCREENSHOTS ?? tmpdir()}/${name}.png`, fullPage: true });
