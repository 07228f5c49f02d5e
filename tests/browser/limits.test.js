// A server with a low time limit: the page asks for no more than it allows.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";

const page = process.env.PAGE ? ["--page", process.env.PAGE] : [];
const server = spawn(process.env.NOYES, ["serve", "--port", "0", "--time-limit", "5s", ...page], { stdio: ["ignore", "pipe", "inherit"] });
process.env.NOYES_URL = await new Promise((resolve) => {
  server.stdout.on("data", (data) => resolve(String(data).match(/http:\/\/[\w.:[\]]+/)[0]));
});
const { link, start, stop, text, until, withPage } = await import("./harness.js");

before(start);
after(async () => {
  await stop();
  server.kill("SIGTERM");
});

test("a board can be solved and certified under a low time limit", () => withPage(link("8 6 7/2 5 4/3 0 1"), {}, async (page) => {
  await page.click("#t-solve");
  await page.click('#t-message button:has-text("Certify it")');
  await until(page, () => /^Verified/.test(document.querySelector("#t-message p").textContent));
}));

test("a race runs under a low time limit", () => withPage("race?puzzle=8%206%207%2F2%205%204%2F3%200%201", {}, async (page) => {
  await page.click("#r-start");
  await until(page, () => !document.querySelector("#r-download").disabled);
  assert.match(await text(page, "#r-message"), /proven optimal/);
  assert.doesNotMatch(await text(page, "#r-message"), /Refused/);
}));
