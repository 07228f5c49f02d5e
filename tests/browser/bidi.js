// Drives a browser by WebDriver BiDi, the standard protocol that Firefox itself speaks. The Firefox of playwright-core is a
// patched one that has to be downloaded; Debian's is not.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { ws: WebSocket } = createRequire(import.meta.url)("playwright-core/lib/utilsBundle");
const KEYS = { ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015", Enter: "\uE007" };
const PATIENCE_MS = 30_000;

/** Starts a Firefox without a window. Returns `{ open, close }`. */
export async function firefox(program) {
  const profile = await mkdtemp(join(tmpdir(), "noyes-firefox-"));
  const browser = spawn(program, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const address = await new Promise((resolve, reject) => {
    let said = "";
    const hear = (data) => {
      said += data;
      const found = said.match(/BiDi listening on (ws:\/\/\S+)/);
      if (found) resolve(found[1]);
    };
    browser.stdout.on("data", hear);
    browser.stderr.on("data", hear);
    browser.on("exit", (code) => reject(new Error(`${program} ended with ${code}: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const waiting = new Map();
  const errors = [];
  let last = 0;
  socket.on("message", (data) => {
    const { id, type, result, message, method, params } = JSON.parse(data);
    if (method === "log.entryAdded" && params.level === "error") errors.push(params.text);
    const [resolve, reject] = waiting.get(id) ?? [];
    waiting.delete(id);
    if (type === "success") resolve?.(result);
    else if (type === "error") reject?.(new Error(message));
  });
  const send = (method, params) => new Promise((resolve, reject) => {
    waiting.set(++last, [resolve, reject]);
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });

  /** A new tab at an address. */
  async function open(url, { width = 1280, height = 800 } = {}) {
    const { context } = await send("browsingContext.create", { type: "tab" });
    await send("browsingContext.setViewport", { context, viewport: { width, height } });
    await send("browsingContext.navigate", { context, url, wait: "complete" });
    return tab(send, context, errors);
  }
  async function close() {
    await send("browser.close", {}).catch(() => {});
    await new Promise((resolve) => (browser.exitCode === null ? browser.on("exit", resolve) : resolve()));
    await rm(profile, { recursive: true, force: true });
  }
  return { open, close };
}

function tab(send, context, errors) {
  /** The value of a script, by way of JSON. */
  async function run(script) {
    const expression = `(async () => JSON.stringify((await (${script})) ?? null))()`;
    const { type, result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (type !== "success") throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }
  /** The text of an element. */
  const text = (selector) => run(`document.querySelector(${JSON.stringify(selector)}).innerText`);
  /** Waits until the text of an element matches. */
  async function until(selector, pattern) {
    const end = Date.now() + PATIENCE_MS;
    let found = null;
    do {
      found = await run(`document.querySelector(${JSON.stringify(selector)})?.innerText`);
      if (found !== null && pattern.test(found)) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } while (Date.now() < end);
    throw new Error(`${selector} is ${JSON.stringify(found)}, expected ${pattern}`);
  }
  async function press(...keys) {
    const strokes = keys.flatMap((key) => ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] ?? key })));
    await send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions: strokes }] });
  }
  async function click(selector) {
    const [x, y] = await run(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "nearest" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    })()`);
    const actions = [{ type: "pointerMove", x: Math.round(x), y: Math.round(y) }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
  }
  const picture = async () => Buffer.from((await send("browsingContext.captureScreenshot", { context })).data, "base64");
  /** Closes the tab, and returns the errors of all tabs so far. */
  async function close() {
    await send("browsingContext.close", { context });
    return errors.splice(0);
  }
  return { run, text, until, press, click, picture, close };
}
