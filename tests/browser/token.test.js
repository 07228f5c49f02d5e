// A server with a token: the page takes it from its address, keeps it for the tab, and says so when it has none.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";

const TOKEN = "secret-1";
const server = spawn(process.env.NOYES, ["serve", "--port", "0", "--token", TOKEN], { stdio: ["ignore", "pipe", "inherit"] });
process.env.NOYES_URL = await new Promise((resolve) => {
  server.stdout.on("data", (data) => resolve(String(data).match(/http:\/\/[\w.:[\]]+/)[0]));
});
const { address, start, stop, text, until, withPage } = await import("./harness.js");

before(start);
after(async () => {
  await stop();
  server.kill("SIGTERM");
});

const version = (page) => until(page, () => /^noyes \d/.test(document.querySelector("#version").textContent));

test("the page works with the printed address, and only with it", () => withPage("tiles", { tolerate: /401/ }, async (page, context) => {
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-message").textContent.includes("token"));
  assert.equal(await text(page, "#version"), "");
  await page.goto(`${address()}/?token=${TOKEN}#tiles`);
  await version(page);
  assert.equal(new URL(page.url()).search, "", "the token stays out of the history");
  assert.equal(new URL(page.url()).hash, "#tiles");
  await page.reload();
  await version(page);
  const other = await context.newPage();
  const refused = other.waitForResponse((response) => response.url().endsWith("/api/v1/version"));
  await other.goto(`${address()}/#tiles`);
  assert.equal((await refused).status(), 401, "another tab has no token");
}));
