// Small line plots in vector graphics: axes with few ticks, lines in colour and dashes, names at their ends.

import { count, draw } from "./dom.js";

const WIDTH = 500;

/** Round ticks for 0 to `most`. */
function ticks(most) {
  const rough = most / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const list = [];
  for (let tick = 0; tick <= most * 1.0001; tick += step) list.push(tick);
  return list;
}

/**
 * A plot as an svg element. `series`: `[{ points: [[x, y], …], class, steps? }]`; `marks`: `[[x, y, class], …]`.
 * With `log`, y is shown by its logarithm.
 */
export function plot({ series, marks = [], height = 200, log = false, label, least = {} }) {
  const all = series.flatMap((line) => line.points);
  const right = Math.max(least.x ?? 1, ...all.map((point) => point[0]));
  const top = Math.max(least.y ?? (log ? 10 : 1), ...all.map((point) => point[1]));
  const [left, base] = [38, height - 20];
  const x = (value) => left + (value / right) * (WIDTH - left - 12);
  const scale = log ? (value) => Math.log10(Math.max(1, value)) / Math.log10(top) : (value) => value / top;
  const y = (value) => base - scale(value) * (base - 10);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
  const levels = log ? Array.from({ length: Math.floor(Math.log10(top)) + 1 }, (_, i) => 10 ** i) : ticks(top);
  for (const level of levels) {
    const text = draw("text", { x: left - 6, y: y(level) + 4, "text-anchor": "end" });
    text.textContent = log ? short(level) : count(level);
    svg.append(draw("line", { class: "grid", x1: left, x2: WIDTH - 12, y1: y(level), y2: y(level) }), text);
  }
  for (const tick of ticks(right)) {
    const text = draw("text", { x: x(tick), y: height - 4, "text-anchor": "middle" });
    text.textContent = count(Number(tick.toPrecision(3)));
    svg.append(text);
  }
  for (const line of series) {
    let path = "";
    line.points.forEach(([px, py], i) => {
      if (i === 0) path = `M${x(px).toFixed(1)} ${y(py).toFixed(1)}`;
      else path += (line.steps ? `H${x(px).toFixed(1)}` : "") + `L${x(px).toFixed(1)} ${y(py).toFixed(1)}`;
    });
    if (path) svg.append(draw("path", { class: line.class, d: path, fill: "none" }));
  }
  for (const [px, py, kind] of marks) svg.append(draw("circle", { class: kind, cx: x(px), cy: y(py), r: 4.5 }));
  return svg;
}

const short = (n) => (n >= 1e9 ? `${n / 1e9}G` : n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : String(n));
