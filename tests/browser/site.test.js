// The static site in a real browser: plain files from a server that knows nothing about noyes.

import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { boardOf, launch, link, serve, shot, stop, text, until, withSite } from "./harness.js";

const SITE = process.env.SITE;
const skip = SITE ? false : "no static site: ./site builds it";
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".wasm": "application/wasm" };
const HARD = "8 6 7/2 5 4/3 0 1"; // 31 moves
const KORF_1 = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"; // 57 moves towards the goal with the blank first

let server = null;
let address = null;
before(async () => {
  if (!SITE) return;
  server = createServer(async ({ method, url }, response) => {
    // Like a host under a path of its own, /noyes/, for GET only.
    const path = normalize(new URL(url, "http://x").pathname).replace(/^\/noyes\//, "").replace(/^$|\/$/, "index.html");
    try {
      if (method !== "GET") throw new Error(method);
      const data = await readFile(join(SITE, path));
      response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(data);
    } catch {
      response.writeHead(404).end("no such file");
    }
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  address = `http://localhost:${server.address().port}/noyes`;
  await launch();
});
after(async () => {
  await stop();
  server?.closeAllConnections();
  server?.close();
});

const onSite = (hash, options, run) => withSite(address, hash, options, run);

/** A board with the blank first as its goal, turned so that the goal is the page's: half a turn, and tiles renamed. */
const turned = (board) => {
  const rows = board.split("/").map((row) => row.split(" ").map(Number));
  const most = rows.flat().length;
  return rows.map((row) => row.map((tile) => (tile ? most - tile : 0)).reverse().join(" ")).reverse().join("/");
};

test("a 3x3 board is solved at once", { skip }, () => onSite(link(HARD), {}, async (page) => {
  await until(page, () => document.querySelector("#t-optimal").textContent === "31");
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-message").textContent.includes("31 moves. No plan is shorter."));
  assert.match(await text(page, "footer"), /noyes \d.*Everything runs in this browser/s);
  assert.equal(await page.locator("footer a").isVisible(), false, "there is no REST service");
  await shot(page, "site-tiles");
}));

test("a board of Korf is proven optimal", { skip }, () => onSite(link(turned(KORF_1)), {}, async (page) => {
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-message").textContent.includes("57 moves. No plan is shorter."));
}));

test("a long search shows its progress and can be stopped", { skip }, () => onSite(link("24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0"), {}, async (page) => {
  await page.click("#t-solve");
  await until(page, () => /Solving: at least \d+.*[1-9][\d,]* nodes/.test(document.querySelector("#t-message").textContent));
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-solve").textContent.includes("Solve"));
  assert.match(await text(page, "#t-message"), /at least \d+ moves are needed|A plan of \d+ moves; at least \d+ are needed/);
}));

test("a level gets a hint, is solved, and cannot be certified here", { skip }, () => onSite("sokoban?level=8w.w--o3-w.w-bb-o-w.w--p3-w.w6-w.8w", {}, async (page) => {
  await page.click("#s-hint");
  await until(page, () => /Hint:.*\(proven/.test(document.querySelector("#s-message").textContent));
  await page.click("#s-solve");
  await until(page, () => document.querySelector("#s-message .offers").textContent.includes("Certify it"));
  await page.click("#s-message .offers button");
  await until(page, () => /No certificate: .*noyes certify/.test(document.querySelector("#s-message").textContent));
  assert.ok((await page.locator("#s-level option").count()) > 30, "the collection is there");
}));

test("boards at a distance and levels are generated", { skip }, () => onSite("tiles", {}, async (page) => {
  await page.click('[data-size="other"]');
  await page.fill("#new-distance", "30");
  await page.click("#new-dialog .primary");
  await until(page, () => document.querySelector("#t-message").textContent.includes("needs exactly 30 moves"));
  await until(page, () => document.querySelector("#t-optimal").textContent === "30");
  const first = await boardOf(page);
  await page.click('[data-size="other"]');
  await page.click("#new-dialog .primary");
  await page.waitForFunction((board) => [...document.querySelectorAll("#t-board .tile")].map((tile) => tile.innerText.trim() || "0").join(" ") !== board.replaceAll("/", " "), first);
  await page.evaluate(() => {
    location.hash = "sokoban";
  });
  await page.waitForSelector("#s-board .ground");
  await page.click("#s-own");
  await page.click("#own-dialog [value=make]");
  await page.waitForFunction(() => !document.querySelector("#own-dialog").open);
  await until(page, () => /Random 8×7/.test(document.querySelector("#s-level").selectedOptions[0]?.textContent));
}));

test("a certificate is made and checked, and a forged one is refused", { skip }, () => onSite(link(HARD), { acceptDownloads: true }, async (page) => {
  await until(page, () => document.querySelector("#t-optimal").textContent === "31");
  await page.click("#t-solve");
  await page.click('#t-message .offers button:has-text("Certify it")');
  await page.waitForSelector('#t-message .offers button:has-text("Download the certificate")');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#t-message .offers button")]);
  const certificate = await readFile(await download.path());
  const folder = await mkdtemp(join(tmpdir(), "noyes-"));
  const [good, forged] = ["good.cert", "forged.cert"].map((name) => join(folder, name));
  await writeFile(good, certificate);
  await writeFile(forged, certificate.subarray(0, certificate.length - 60));
  await page.click("#check-open");
  await page.setInputFiles("#check-file", good);
  await until(page, () => document.querySelector("#check-verdict").textContent.startsWith("Verified: a plan of 31 moves exists, and no plan of fewer"));
  await shot(page, "site-certificate");
  await page.setInputFiles("#check-file", forged);
  await until(page, () => document.querySelector("#check-verdict").textContent.startsWith("Refused: "));
}));

test("the default race ends within its time limit", { skip }, () => onSite("race", {}, async (page) => {
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  const states = await page.locator("#r-table tr").evaluateAll((rows) => rows.map((row) => row.querySelector("td").textContent));
  assert.ok(states.length > 3 && states.every((state) => state === "optimal"), states.join());
}));

test("engines race in workers", { skip }, () => onSite("race", {}, async (page) => {
  await page.fill("#r-board", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########");
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  const optima = await page.locator("#r-table tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent).join()));
  assert.deepEqual([...new Set(optima)], ["optimal,4,4"]);
}));

test("after one visit the site works offline", { skip }, () => onSite("tiles", { workers: "allow", tolerate: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ }, async (page, context) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.goto(`${address}/#${link(HARD)}`);
  await page.reload();
  await until(page, () => document.querySelector("#t-optimal").textContent === "31");
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-message").textContent.includes("31 moves. No plan is shorter."));
}));

test("a service that serves the site answers, and the browser goes on when it has gone", { skip: skip || !process.env.NOYES }, async () => {
  const { server: service, url } = await serve(SITE);
  try {
    await withSite(url, link(HARD), { workers: "allow", tolerate: /ERR_CONNECTION_REFUSED|Failed to load/ }, async (page) => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.reload();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await until(page, () => document.querySelector("#t-optimal").textContent === "31");
      assert.ok(await page.locator("footer a").isVisible(), "there is a REST service");
      // The solver is fetched while the page is in use.
      while (!(await page.evaluate(async () => Boolean(await caches.match(new URL("solver/noyes.wasm", location)))))) await page.waitForTimeout(100);
      service.kill("SIGKILL");
      await page.click('[data-size="4x4"]');
      // A board of this size is proven by a solver only, and hardly any random one has the 31 moves of the board before.
      await until(page, () => /^(?!31$)\d+$/.test(document.querySelector("#t-optimal").textContent));
    });
  } finally {
    service.kill("SIGKILL");
  }
});

test("a service that goes before the solver has come leaves a question, which becomes the optimum later", { skip: skip || !process.env.NOYES }, async () => {
  const { server: service, url } = await serve(SITE);
  const late = async (page) => {
    await page.route("**/solver/noyes.wasm", (route) => route.abort());
  };
  try {
    await withSite(url, link(HARD), { prepare: late, tolerate: /ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to load/ }, async (page) => {
      await until(page, () => document.querySelector("#t-optimal").textContent === "31");
      service.kill("SIGKILL");
      await page.click('[data-size="3x3"]');
      await until(page, () => document.querySelector("#t-optimal").textContent === "?"); // nothing can search yet
      await page.unroute("**/solver/noyes.wasm");
      await page.route("**/solver/noyes.wasm", (route) => route.fulfill({ path: join(SITE, "solver/noyes.wasm"), contentType: "application/wasm" }));
      await page.route("**/solver/worker.js", (route) => route.fulfill({ path: join(SITE, "solver/worker.js"), contentType: "text/javascript" }));
      await until(page, () => /^\d+$/.test(document.querySelector("#t-optimal").textContent));
    });
  } finally {
    service.kill("SIGKILL");
  }
});
