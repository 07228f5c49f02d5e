// Drawing a level: seven kinds of cell, by pointer or by typing their sign, and the size of it all.

import { find, make } from "../dom.js";
import { build, format, sign } from "./level.js";

const BRUSHES = [["#", "Wall"], [" ", "Floor"], [".", "Goal"], ["$", "Box"], ["*", "Box, home"], ["@", "Player"], ["+", "Player on goal"]];
let brush = "#";

/** Fills the palette. */
export function palette(root) {
  const buttons = BRUSHES.map(([mark, name]) => {
    const button = make("button", { type: "button", role: "radio", "aria-checked": String(mark === brush) }, make("code", { textContent: mark === " " ? "·" : mark }), name);
    button.onclick = () => choose(mark);
    button.dataset.mark = mark;
    return button;
  });
  root.replaceChildren(...buttons);
}

function choose(mark) {
  brush = mark;
  for (const button of find("#s-palette").children) button.setAttribute("aria-checked", String(button.dataset.mark === brush));
}

/** A key that is a sign chooses its brush; whether it was one. */
export function typed(key) {
  const mark = key === "-" || key === "_" ? " " : key;
  if (key === " " || !BRUSHES.some(([other]) => other === mark)) return false;
  choose(mark);
  return true;
}

/** The level with one cell changed: `{ level, state }`, or null if it is so already. */
export function paint(level, state, cell) {
  if (sign(level, state, cell) === brush) return null;
  const row = Math.floor(cell / level.width);
  const rows = format(level, state).split("\n");
  const column = cell % level.width;
  rows[row] = rows[row].slice(0, column) + brush + rows[row].slice(column + 1);
  return build(rows);
}

/** The level cut or filled with floor to another size. */
export function resize(level, state, width, height) {
  const rows = format(level, state).split("\n").slice(0, height).map((row) => row.slice(0, width).padEnd(width));
  while (rows.length < height) rows.push(" ".repeat(width));
  return build(rows);
}
