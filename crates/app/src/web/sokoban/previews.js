// All levels at a glance: a small picture of each, what is par, and which are solved.

import { find, make } from "../dom.js";
import { parse } from "./level.js";
import { bests } from "./levels.js";

/** Opens the sheet; gives back the number of the level chosen, or -1. */
export function choose(levels, current) {
  const dialog = find("#levels-dialog");
  const best = bests();
  let choice = -1;
  find(".previews", dialog).replaceChildren(...levels.map(({ title, xsb, key, moves, pushes, players }, i) => {
    const canvas = make("canvas", { "aria-hidden": "true" });
    const notes = [best[key] ? `✓ ${players > 1 ? best[key].moves : best[key].pushes}` : "", (pushes ?? moves) == null ? "" : `par ${pushes ?? moves}`, players > 1 ? `${players} players` : ""].filter(Boolean).join(", ");
    const button = make("button", { type: "button", "aria-current": String(i === current) }, canvas, make("span", { textContent: `${i + 1}. ${title}` }), make("small", { textContent: notes }));
    button.onclick = () => {
      choice = i;
      dialog.close();
    };
    queueMicrotask(() => sketch(canvas, parse(xsb)));
    return button;
  }));
  dialog.showModal();
  find('[aria-current="true"]', dialog)?.scrollIntoView({ block: "center" });
  find('[aria-current="true"]', dialog)?.focus();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(choice), { once: true }));
}

function sketch(canvas, { level, state }) {
  const size = Math.max(4, Math.floor(200 / Math.max(level.width, level.height)));
  canvas.width = level.width * size;
  canvas.height = level.height * size;
  const pen = canvas.getContext("2d");
  const dot = (cell, colour, share) => {
    const [x, y] = [(cell % level.width) * size, Math.floor(cell / level.width) * size];
    pen.fillStyle = colour;
    pen.fillRect(x + (size * (1 - share)) / 2, y + (size * (1 - share)) / 2, size * share, size * share);
  };
  // Pairs of light and dark are resolved by the browser only where they are used as a colour.
  const colour = (name) => {
    canvas.style.color = `var(--${name})`;
    return getComputedStyle(canvas).color;
  };
  const [wall, floor, goal, box] = ["wall", "floor", "home", "box"].map(colour);
  level.walls.forEach((isWall, cell) => {
    if (isWall) dot(cell, wall, 1);
    else if (level.inside[cell]) dot(cell, floor, 1);
    if (level.goals[cell]) dot(cell, goal, 0.4);
  });
  for (const cell of state.boxes) dot(cell, level.goals[cell] ? goal : box, 0.8);
  for (const cell of state.players) {
    pen.fillStyle = "#2b87b3";
    pen.beginPath();
    pen.arc(((cell % level.width) + 0.5) * size, (Math.floor(cell / level.width) + 0.5) * size, size * 0.38, 0, 7);
    pen.fill();
  }
}
