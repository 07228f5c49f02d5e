// Accessibility: axe on every view in both colour schemes, the keyboard alone, small and large screens, no motion,
// forced colours. Also, the page stays small.

import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { address, ARROW, boardOf, findings, hintFor, link, shot, start, stop, text, until, withPage } from "./harness.js";

const WEB = new URL("../../crates/app/src/web/", import.meta.url).pathname;
const BOARD = link("6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13");
const LEVEL = "sokoban?level=9w.wp-b---ow.w3-w3-w.wp-b---ow.9w";

before(start);
after(stop);

/** The number of bytes of a response body as it is sent. */
const sent = (url) => new Promise((resolve) => {
  get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
    let bytes = 0;
    response.on("data", (chunk) => (bytes += chunk.length));
    response.on("end", () => resolve(bytes));
  });
});

for (const colorScheme of ["light", "dark"]) {
  for (const [name, hash, prepare] of [
    ["tiles", BOARD, async (page) => page.click("#t-hint")],
    ["tiles, unsolvable", link("1 2 3/4 5 6/8 7 0"), async (page) => page.click("#t-edit")],
    ["sokoban", LEVEL, async (page) => page.click('[aria-label^="box"]')],
    ["sokoban, editor", LEVEL, async (page) => page.keyboard.press("e")],
    ["race", "race", async (page) => {
      await page.fill("#r-board", "8 6 7/2 5 4/3 0 1");
      await page.click("#r-start");
      await until(page, () => !document.querySelector("#r-download").disabled);
    }],
    ["keys", "tiles", async (page) => page.keyboard.press("?")],
    ["levels", LEVEL, async (page) => page.click("#s-all")],
    ["add level", LEVEL, async (page) => page.click("#s-own")],
  ]) {
    test(`axe finds nothing serious: ${name}, ${colorScheme}`, () => withPage(hash, { colorScheme, reducedMotion: "reduce" }, async (page) => {
      await prepare(page);
      await page.waitForTimeout(300);
      assert.deepEqual(await findings(page), []);
      await shot(page, `${name.replace(/, | /g, "-")}-${colorScheme}`);
    }));
  }
}

test("by keyboard alone: reach the board, play a whole game, start the next", () => withPage("tiles", {}, async (page) => {
  const reach = async (selector) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((at) => document.activeElement.matches(at), selector)) return;
    }
    assert.fail(`Tab never reaches ${selector}`);
  };
  await reach('[data-size="3x3"]');
  await page.keyboard.press("Enter");
  await reach("#t-board .tile");
  await page.keyboard.press("Shift+ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /row 1, column 2/);
  const { plan } = await hintFor(await boardOf(page));
  for (const letter of plan) await page.keyboard.press(ARROW[letter]);
  assert.match(await text(page, "#live"), /You won!/, "the live region announces it");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /row 1, column 2/, "focus stays");
  await reach("#t-message button");
  await page.keyboard.press("Enter");
  assert.equal(await text(page, "#t-moves"), "0");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#keys-dialog").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("#keys-dialog").isVisible()));
}));

test("Enter slides the focused tile", () => withPage(link("1 2 3/4 0 6/7 5 8"), {}, async (page) => {
  await page.locator('[aria-label^="5, row 3, column 2"]').focus();
  await page.keyboard.press("Enter");
  assert.equal(await boardOf(page), "1 2 3/4 5 6/7 0 8");
}));

for (const [width, height, name] of [[320, 568, "320"], [390, 844, "phone"], [844, 390, "landscape"], [3840, 2160, "4k"]]) {
  test(`nothing is cut off at ${width}x${height}`, async () => {
    for (const hash of [BOARD, LEVEL, "race"]) {
      await withPage(hash, { viewport: { width, height } }, async (page) => {
        await page.waitForTimeout(250);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} scrolls sideways`);
        const board = page.locator(hash === "race" ? "#r-form" : hash === LEVEL ? "#s-board" : "#t-board");
        const box = await board.boundingBox();
        assert.ok(box.width >= 200 && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
        await shot(page, `${hash.split("?")[0]}-${name}`);
      });
    }
  });
}

for (const width of [320, 375, 768, 1280]) {
  test(`every label fits its button at ${width}`, async () => {
    for (const [hash, prepare] of [[BOARD, (page) => page.click("#t-hint")], [LEVEL, (page) => page.click("#s-edit")], ["race", () => {}]]) {
      await withPage(hash, { viewport: { width, height: 800 } }, async (page) => {
        await prepare(page);
        await page.waitForTimeout(250);
        const tooLong = await page.evaluate(() => [...document.querySelectorAll("button, select, .file, nav a")].filter((each) => each.offsetParent && !each.matches(".tile, .ground")).flatMap((each) => {
          const outer = each.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(each);
          const inner = each.matches("select") ? [] : [...range.getClientRects()].filter(({ width }) => width > 0);
          return outer.right > innerWidth || inner.some(({ left, right }) => left < outer.left - 1 || right > outer.right + 1) ? [each.id || each.textContent] : [];
        }));
        assert.deepEqual(tooLong, []);
        if (hash === LEVEL) assert.ok((await page.locator("#s-level").boundingBox()).width >= 120, "the picker shows a title");
      });
    }
  });
}

for (const width of [320, 375, 1280]) {
  test(`text at twice the size does not scroll sideways at ${width}`, async () => {
    for (const hash of [BOARD, LEVEL, "race"]) {
      await withPage(hash, { viewport: { width, height: 800 } }, async (page) => {
        await page.evaluate(() => {
          const { style } = document.documentElement;
          style.fontSize = `${2 * parseFloat(getComputedStyle(document.documentElement).fontSize)}px`;
        });
        await page.waitForTimeout(250);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".scroll, .unseen")).map((each) => `${each.tagName} ${each.id} ${each.className}`).slice(0, 5) : []);
        assert.deepEqual(wide, [], hash);
        await shot(page, `${hash.split("?")[0]}-${width}-twice`);
      });
    }
  });
}

test("very wide and very high boards fit the window", async () => {
  const row = (from, n, size) => Array.from({ length: n }, (_, i) => (from + i + 1) % size).join(" ");
  const long = [row(0, 20, 40), row(20, 20, 40)].join("/");
  const high = Array.from({ length: 20 }, (_, i) => row(2 * i, 2, 40)).join("/");
  for (const board of [long, high]) {
    for (const viewport of [{ width: 320, height: 568 }, { width: 1280, height: 900 }, { width: 844, height: 390 }]) {
      await withPage(link(board), { viewport }, async (page) => {
        const { width, height } = await page.locator("#t-board").boundingBox();
        assert.ok(width <= viewport.width && height <= viewport.height * 0.95, `${width}x${height} in ${viewport.width}x${viewport.height}`);
        assert.ok(Math.max(width, height) > 200, "and are not too small");
      });
    }
  }
});

test("nothing jumps: messages, hints and playback leave the board where it is", () => withPage(BOARD, {}, async (page) => {
  const place = () => page.locator("#t-board").boundingBox();
  const before = await place();
  const actions = () => page.locator(".actions").first().boundingBox();
  const row = await actions();
  await page.click("#t-hint");
  await page.click("#t-hint");
  await page.click("#t-solve");
  await until(page, () => document.querySelector("#t-playback").classList.contains("on"));
  assert.deepEqual(await place(), before);
  assert.deepEqual(await actions(), row);
}));

for (const [width, height] of [[1280, 800], [1366, 768]]) {
  test(`what is needed is in sight at ${width}x${height}`, async () => {
    const viewport = { width, height };
    const inSight = async (page, ...places) => {
      for (const place of places) {
        const { y, height: high } = await page.locator(place).boundingBox();
        assert.ok(y >= 0 && y + high <= height, `${place} ends at ${y + high}`);
      }
    };
    await withPage("race", { viewport }, (page) => inSight(page, "#r-board", "#r-start", "#r-message"));
    await withPage(BOARD, { viewport }, async (page) => {
      await page.click("#t-solve");
      await until(page, () => document.querySelector("#t-playback").classList.contains("on"));
      await inSight(page, "#t-board", "#t-message", "#t-playback input");
    });
    await withPage(LEVEL, { viewport }, async (page) => {
      await page.click("#s-solve");
      await until(page, () => document.querySelector("#s-playback").classList.contains("on"));
      await inSight(page, "#s-board", "#s-message", "#s-playback input");
      await page.keyboard.press("e");
      await until(page, () => !document.querySelector("#s-drawing").hidden);
      await inSight(page, "#s-board", "#s-palette button:last-child", "#s-width", "#s-message", "#s-undo");
      await shot(page, `sokoban-editor-${width}`);
    });
  });
}

test("a phone on its side shows the whole board", async () => {
  for (const [width, height] of [[568, 320], [667, 375], [844, 390], [932, 430]]) {
    for (const [hash, board] of [[BOARD, "#t-board"], [LEVEL, "#s-board"], [link("2 1 3/4 5 6/7 8 9/10 0 11"), "#t-board"]]) {
      await withPage(hash, { viewport: { width, height } }, async (page) => {
        const box = await page.locator(board).boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= height, `${width}x${height}: ${JSON.stringify(box)}`);
        assert.ok(Math.max(box.width, box.height) > height / 2, "and it is not small");
      });
    }
  }
});

test("a small phone shows the whole board, and nothing overlaps", async () => {
  const overlaps = (page, view) => page.evaluate((name) => {
    const rects = (each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return [...range.getClientRects()];
    };
    const clipped = (each) => getComputedStyle(each).clipPath !== "none";
    const texts = [...document.querySelectorAll(`#${name} :is(.hero p, .counters dt, .counters dd, .message p, .message button, .tray)`)].filter((each) => each.textContent && !clipped(each)).map((each) => [each, rects(each)]);
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
    return texts.flatMap(([one, of], i) => texts.slice(i + 1).filter(([other, those]) => of.some((a) => those.some((b) => meet(a, b)))).map(([other]) => `${one.textContent.slice(0, 30)} / ${other.textContent.slice(0, 30)}`));
  }, view);
  for (const [width, height] of [[320, 568], [360, 640], [390, 844]]) {
    const seen = async (page, board) => {
      const box = await page.locator(board).boundingBox();
      assert.ok(box.y + box.height <= height, `${width}x${height}: ${board} ends at ${box.y + box.height}`);
      assert.deepEqual(await overlaps(page, board.startsWith("#t") ? "tiles" : "sokoban"), [], `${width}x${height}`);
    };
    await withPage(BOARD, { viewport: { width, height } }, async (page) => {
      await until(page, () => document.querySelector("#t-optimal").textContent === "38");
      await page.keyboard.press("ArrowUp");
      await until(page, () => document.querySelector("#t-mark").textContent !== "");
      await seen(page, "#t-board");
    });
    await withPage(link("1 2 3/4 5 6/8 7 0"), { viewport: { width, height } }, (page) => seen(page, "#t-board"));
    await withPage("sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w", { viewport: { width, height } }, async (page) => {
      await until(page, () => document.querySelector("#s-optimal").textContent === "1");
      await page.keyboard.press("ArrowRight");
      await until(page, () => document.querySelector("#s-mark").textContent !== "");
      await seen(page, "#s-board");
    });
  }
});

test("every button without words has a tooltip", () => withPage(BOARD, {}, async (page) => {
  const silent = () => page.evaluate(() => [...document.querySelectorAll("button:not(.tile, .ground)")].filter((each) => each.textContent.trim() === "" && !each.title).map((each) => each.id || each.ariaLabel));
  assert.deepEqual(await silent(), []);
  await page.click("#t-solve");
  const toggle = page.locator("#t-playback button:nth-child(3)").first();
  await until(page, () => document.querySelector("#t-playback").classList.contains("on"));
  await page.click('#t-playback [aria-label="To the start"]');
  assert.equal(await toggle.getAttribute("title"), "Play");
  await toggle.click();
  assert.equal(await toggle.getAttribute("title"), "Pause");
}));

for (const [width, height] of [[320, 568], [390, 844], [667, 375], [768, 1024], [1280, 800]]) {
  test(`nothing jumps when a game is won at ${width}x${height}`, async () => {
    for (const [hash, keys, won] of [[link("1 2 3/4 5 6/7 0 8"), ["ArrowLeft"], "#t-message"], ["sokoban?level=7w.w5-w.w-pbo-w.w5-w.7w", ["ArrowRight"], "#s-message"]]) {
      await withPage(hash, { viewport: { width, height } }, async (page) => {
        if (won === "#t-message") await until(page, () => document.querySelector("#t-optimal").textContent === "1");
        else await until(page, () => document.querySelector("#s-level").options.length > 1);
        const places = () => page.evaluate((at) => [...document.querySelector(at).closest(".view").querySelectorAll(".bar, .counters, .tray, .message, .actions, .card")].map((each) => {
          const { left, top, width, height } = each.getBoundingClientRect();
          return `${each.id || each.className.split(" ")[0]}: ${[left, top + scrollY, width, height].map(Math.round)}`;
        }), won);
        const before = await places();
        for (const key of keys) await page.keyboard.press(key);
        await until(page, (at) => document.querySelector(at).classList.contains("won"), won);
        await page.waitForTimeout(500);
        assert.deepEqual(await places(), before);
      });
    }
  });
}

for (const view of ["tiles", "sokoban", "race"]) {
  test(`opening ${view} shifts nothing and loads less than 200 kB, uncompressed`, async () => {
    for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
      const prepare = (page) => page.addInitScript(() => {
        globalThis.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (globalThis.shifted += value))).observe({ type: "layout-shift", buffered: true });
      });
      await withPage(view, { viewport, prepare }, async (page) => {
        await page.waitForTimeout(1000);
        const shifted = await page.evaluate(() => globalThis.shifted);
        assert.ok(shifted < 0.03, `${viewport.width}: shifted by ${shifted}`);
        // The font and the levels are not counted.
        const bytes = await page.evaluate(() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).filter(({ name }) => !/\/fonts\/|\/api\//.test(name)).reduce((sum, entry) => sum + entry.decodedBodySize, 0));
        assert.ok(bytes > 50_000 && bytes < 200_000, `${bytes} bytes`);
      });
    }
  });
}

test("tiles can be played in forced colours and without motion", () => withPage(BOARD, { forcedColors: "active", reducedMotion: "reduce" }, async (page) => {
  await page.click("#t-step");
  await until(page, () => document.querySelector("#t-moves").textContent === "1");
  assert.deepEqual(await page.evaluate(() => document.getAnimations().length), 0);
  await shot(page, "tiles-forced");
}));

test("the colour scheme can be chosen and is remembered", () => withPage("tiles", { colorScheme: "light" }, async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  assert.equal(await paper(), light);
  await page.click("#theme");
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await paper(), dark);
}));

test("by keyboard alone: choose a level, push a box, draw a cell", () => withPage(LEVEL, {}, async (page) => {
  const reach = async (selector) => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((at) => document.activeElement.matches(at), selector)) return;
    }
    assert.fail(`Tab never reaches ${selector}`);
  };
  await reach("#s-all");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  await page.keyboard.press("Escape");
  await reach("#s-board .ground");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^box, row 2, column 4/);
  await page.keyboard.press("Enter");
  assert.match(await text(page, "#s-message"), /Choose where this box should go/);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelector("#s-pushes").textContent === "1");
  await reach("#s-edit");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.locator("#s-board [tabindex='0']").focus();
  await page.keyboard.press("#");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^wall/);
  await page.keyboard.press("Escape");
  assert.equal(await page.getAttribute("#s-edit", "aria-pressed"), "false");
}));

test("by keyboard alone: start and stop a race", () => withPage("race", {}, async (page) => {
  await page.locator("#r-board").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0");
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.id === "r-start")); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".lane");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(page, () => !document.querySelector("#r-download").disabled);
}));

test("Sokoban can be played in forced colours and without motion", () => withPage(LEVEL, { forcedColors: "active", reducedMotion: "reduce" }, async (page) => {
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  const paint = (selector) => page.evaluate((at) => getComputedStyle(document.querySelector(at)).backgroundColor, selector);
  assert.notEqual(await paint("#s-board .wall"), await paint("#s-board .ground"), "walls look different from floor");
  await shot(page, "sokoban-forced");
}));

test("the page is small, and its service worker caches every file", async () => {
  const files = (await readdir(WEB, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(WEB.length));
  let bytes = 0;
  let packed = 0;
  for (const file of files.filter((name) => !name.startsWith("fonts/"))) {
    if (/\.(js|css)$/.test(file)) bytes += (await stat(join(WEB, file))).size;
    packed += await sent(`${address()}/${file}`);
  }
  assert.ok(bytes < 250_000, `${bytes} bytes of scripts and styles`);
  assert.ok(packed < 110_000, `${packed} bytes as sent`);
  const kept = (await readFile(join(WEB, "service-worker.js"), "utf8")).match(/const FILES = \[([^\]]*)\]/)[1];
  const listed = [...kept.matchAll(/"([^"]+)"/g)].map(([, name]) => (name === "./" ? "index.html" : name));
  assert.deepEqual(listed.sort(), files.filter((name) => name !== "service-worker.js" && !name.endsWith(".txt")).sort());
  assert.ok((await stat(join(WEB, "fonts/figtree.woff2"))).size < 20_000, "only the letters that the page needs");
});
