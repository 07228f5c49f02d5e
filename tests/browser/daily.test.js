// Daily puzzles: the same for everyone, with a proven par, a streak, and a text to share.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, ARROW, boardOf, findings, hintFor, shot, start, stop, text, until, withPage } from "./harness.js";

const DAY = "2026-11-16";
const fixed = { prepare: (page) => page.clock.setFixedTime(new Date(`${DAY}T12:00:00Z`)) };
const kept = (days) => ({ prepare: async (page) => {
  await fixed.prepare(page);
  await page.addInitScript((value) => localStorage.getItem("noyes.daily") ?? localStorage.setItem("noyes.daily", value), JSON.stringify(days));
} });
const result = (more = {}) => ({ tiles: { cost: 80, par: 50, ms: 60000, help: false, counts: true, ...more } });

/** The level of a day and a plan with fewest pushes. */
async function levelOf(page, day) {
  const level = await page.evaluate(async (date) => {
    const [{ levelOf: pick }, { collection }] = await Promise.all([import("/daily/day.js"), import("/sokoban/levels.js")]);
    return pick(date, await collection());
  }, day);
  return { ...level, plan: (await hintFor(level.xsb, { objective: "pushes" })).plan };
}
const walk = async (page, plan) => {
  for (const letter of plan) await page.keyboard.press({ l: "ArrowLeft", u: "ArrowUp", r: "ArrowRight", d: "ArrowDown" }[letter.toLowerCase()]);
};

before(start);
after(stop);

test("the puzzles of a day follow from its date and never change", () => withPage("daily", fixed, async (page) => {
  await page.click("#d-tiles a");
  await page.waitForSelector("#t-board .tile");
  assert.equal(await boardOf(page), "2 13 11 14/4 10 0 7/5 15 3 8/1 6 12 9");
  const { title, xsb } = await levelOf(page, DAY);
  assert.deepEqual([title, xsb.split("\n")[1]], ["Customs House", "#####---#"]);
  await page.clock.setFixedTime(new Date("2026-11-17T00:00:00Z"));
  await page.goto(`${address()}/#daily`);
  await until(page, () => document.querySelector("#daily time")?.dateTime === "2026-11-17");
}));

test("every level comes once before any comes again, turned in all ways", () => withPage("daily", fixed, async (page) => {
  const days = await page.evaluate(async () => {
    const [{ levelOf: pick, later }, { collection }] = await Promise.all([import("/daily/day.js"), import("/sokoban/levels.js")]);
    const levels = await collection();
    const fit = levels.filter(({ pushes }) => pushes != null).length;
    const first = Math.ceil(20000 / fit) * fit; // a day on which a round begins
    return Array.from({ length: 4 * fit }, (_, i) => pick(later("1970-01-01", first + i), levels)).map(({ title, xsb }) => [title, xsb, fit]);
  });
  const fit = days[0][2];
  for (let round = 0; round < 4; round++) assert.equal(new Set(days.slice(round * fit, (round + 1) * fit).map(([title]) => title)).size, fit);
  assert.ok(new Set(days.map(([, xsb]) => xsb)).size > 2 * fit, "they look different");
}));

test("the daily board: par, a result to copy, a streak", () => withPage("daily", { ...fixed, permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  assert.match(await text(page, "#d-streak"), /to start a streak/);
  await until(page, () => /Par: \d+ moves, proven/.test(document.querySelector("#d-tiles p").textContent));
  const par = Number((await text(page, "#d-tiles p")).match(/Par: (\d+)/)[1]);
  await page.click("#d-tiles a");
  await page.waitForSelector("#t-board .tile");
  await until(page, (n) => document.querySelector("#t-optimal").textContent === String(n), par);
  const { plan } = await hintFor(await boardOf(page));
  const back = { L: "R", R: "L", U: "D", D: "U" }[plan[0]];
  for (const letter of plan[0] + back + plan) await page.keyboard.press(ARROW[letter]); // two moves too many
  assert.match(await text(page, "#t-message"), new RegExp(`You won! ${par + 2} moves in .* the optimum is ${par}\\. That was the daily puzzle`));
  await page.click('#t-message button:has-text("Copy result")');
  await until(page, () => document.querySelector("#t-message").textContent.startsWith("Copied"));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [head, bar, link] = copied.split("\n");
  assert.match(head, new RegExp(`^noyes daily ${DAY} · 15-puzzle · ${par + 2} moves, par ${par} · \\d+:\\d\\d$`));
  assert.equal(bar, "🟩".repeat(9) + "⬜");
  assert.equal(link, `${address()}/#daily?date=${DAY}`);
  await page.goto(link);
  await page.waitForSelector("#d-streak");
  assert.match(await text(page, "#d-streak"), /Streak: 1 day, longest 1 day/);
  assert.equal(await page.inputValue("#d-tiles textarea"), copied);
  assert.match(await text(page, "#t-stats"), /^$|Solves\s*0/, "a board that can be played again is no part of the statistics");
}));

test("the daily level: a result at par is all green", () => withPage("daily", fixed, async (page) => {
  const { plan, pushes } = await levelOf(page, DAY);
  await page.click("#d-sokoban a");
  await page.waitForSelector("#s-board .ground");
  await until(page, (n) => document.querySelector("#s-par-pushes").textContent === `of ${n}`, pushes);
  assert.ok(await page.locator("#s-time").isVisible(), "a daily level has a clock");
  await walk(page, plan);
  assert.match(await text(page, "#s-message"), /in \d+:\d\d\.\d: no plan has fewer pushes/);
  await page.click('#s-message button:has-text("Daily puzzles")');
  await page.waitForSelector("#d-sokoban textarea:not([hidden])");
  const shared = await page.inputValue("#d-sokoban textarea");
  const [head, bar] = shared.split("\n");
  assert.match(head, new RegExp(`^noyes daily ${DAY} · Sokoban · ${pushes} pushes, par ${pushes} · \\d+:\\d\\d$`));
  assert.equal(bar, "🟩".repeat(10));
  assert.match(await text(page, "#d-streak"), /Streak: 1 day/);
}));

test("the clock of a daily level starts with the first move, goes on after a reload, and other levels have no clock", () => withPage(`sokoban?daily=${DAY}`, { prepare: (page) => page.clock.install({ time: new Date(`${DAY}T12:00:00Z`) }) }, async (page) => {
  const time = () => text(page, "#s-time");
  const { plan } = await levelOf(page, DAY);
  await page.clock.runFor(5000);
  assert.equal(await time(), "0:00.0");
  await walk(page, plan[0]);
  await page.clock.runFor(3200); // what is shown may be a tick old
  assert.match(await time(), /^0:0[3-5]\.\d$/);
  await walk(page, plan[1]);
  await page.reload();
  await page.waitForSelector("#s-board .ground");
  assert.match(await time(), /^0:0[3-5]\.\d$/, "it stands until the next move");
  await page.selectOption("#s-level", "0");
  assert.equal(await page.locator("#s-time").isVisible(), false);
}));

test("a solution with help is called that, and starts no streak", () => withPage("daily", fixed, async (page) => {
  const { plan } = await levelOf(page, DAY);
  await page.click("#d-sokoban a");
  await page.waitForSelector("#s-board .ground");
  await page.click("#s-hint");
  await until(page, () => /Hint:/.test(document.querySelector("#s-message").textContent));
  await walk(page, plan);
  await page.goto(`${address()}/#daily`);
  await page.waitForSelector("#d-sokoban textarea:not([hidden])");
  assert.match(await page.inputValue("#d-sokoban textarea"), / · with help\n/);
  assert.match(await text(page, "#d-streak"), /to start a streak/);
}));

test("a streak lasts while no day is missing, and today may still come", () => withPage("daily", kept({ "2026-11-15": result(), "2026-11-14": result(), "2026-11-13": result({ counts: false }), "2026-11-12": result(), "2026-11-11": result(), "2026-11-10": result() }), async (page) => {
  assert.match(await text(page, "#d-streak"), /Streak: 2 days, longest 3 days/);
}));

test("a day that was missed ends the streak; nonsense in the storage is ignored", () => withPage("daily", kept({ "2026-11-14": result(), "2026-11-13": result(), "2026-11-16": { tiles: { cost: "x" }, sokoban: null }, "2026-11-15": null }), async (page) => {
  assert.match(await text(page, "#d-streak"), /Streak: 0 days, longest 2 days/);
  assert.match(await text(page, "#d-tiles p"), /Not solved yet/);
}));

test("days before can be played but do not count; a day that has not come is refused", () => withPage(`daily?date=2026-11-15`, fixed, async (page) => {
  assert.match(await text(page, "#daily"), /Sunday,? 15 November 2026/);
  const { plan } = await levelOf(page, "2026-11-15");
  await page.click("#d-sokoban a");
  await page.waitForSelector("#s-board .ground");
  await walk(page, plan);
  await page.click('#s-message button:has-text("Daily puzzles")');
  await page.waitForSelector("#d-sokoban textarea:not([hidden])");
  assert.match(await text(page, "#d-streak"), /to start a streak/);
  await page.click('[aria-label="Next day"]');
  await until(page, (day) => document.querySelector("#daily time").dateTime === day, DAY);
  assert.equal(await page.getAttribute('[aria-label="Next day"]', "href"), null);
  for (const day of ["2026-11-17", "1969-12-31", "0001-01-01", "2026-02-30"]) {
    await page.goto(`${address()}/#daily?date=2026-11-15`);
    await until(page, () => document.querySelector("#daily time").dateTime === "2026-11-15");
    await page.goto(`${address()}/#daily?date=${day}`);
    await until(page, (today) => document.querySelector("#daily time").dateTime === today, DAY);
  }
}));

test("a daily game that has begun goes on after a reload", () => withPage("daily", fixed, async (page) => {
  await page.click("#d-tiles a");
  await page.waitForSelector("#t-board .tile");
  const { plan } = await hintFor(await boardOf(page));
  await page.keyboard.press(ARROW[plan[0]]);
  const before = await boardOf(page);
  await page.reload();
  await page.waitForSelector("#t-board .tile");
  assert.equal(await boardOf(page), before);
  assert.equal(await text(page, "#t-moves"), "1");
}));

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["desktop", { width: 1366, height: 768 }], ["phone", { width: 390, height: 844 }], ["side", { width: 844, height: 390 }]]) {
    test(`axe finds nothing serious: daily, ${name}, ${colorScheme}`, () => withPage("daily", { colorScheme, viewport, ...kept({ [DAY]: result() }) }, async (page) => {
      await page.waitForTimeout(300);
      assert.deepEqual(await findings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is too wide");
      await shot(page, `daily-${name}-${colorScheme}`);
    }));
  }
}
