// Small line plots as SVG: axes with few ticks, lines with colours and dashes, room above the highest point.

import { count, draw } from "./dom.js";

const FIRST_S = 0.001; // where logarithmic time begins

/** Round ticks for 0 to `most`. */
function ticks(most) {
	const rough = most / 4 || 1;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
	return Array.from({ length: Math.floor(most / step + 1e-4) + 1 }, (_, i) => i * step);
}

const short = (n) => (n >= 1e9 ? `${n / 1e9}G` : n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : String(n));

const sizes = new WeakMap(); // by element: `{ width, height, em, again }`
const observer = new ResizeObserver((entries) => {
	for (const { target, contentRect } of entries) {
		const before = sizes.get(target);
		if (!contentRect.width || (before.width === contentRect.width && before.height === contentRect.height)) continue;
		Object.assign(before, { width: contentRect.width, height: contentRect.height, em: parseFloat(getComputedStyle(target).fontSize) });
		before.again();
	}
});

/** The size of an element and of its letters, measured only when it changes; `again` draws the plot at another size. */
function measure(root, again) {
	if (!sizes.has(root)) {
		sizes.set(root, { width: root.clientWidth || 500, height: root.clientHeight || 200, em: parseFloat(getComputedStyle(root).fontSize) || 16 });
		observer.observe(root);
	}
	return Object.assign(sizes.get(root), { again });
}

/**
 * Fills an element with a plot. `series`: `[{ points: [[x, y], …], class, steps? }]`; `band`: `[[x, low, high], …]`, an
 * area between bounds; `marks`: `[[x, y, class], …]`; the axes reach at least to `least`. With `log`, the y
 * axis is logarithmic; with `logTime`, the x axis is, in seconds from a millisecond on.
 */
export function plot(root, { series, band = [], marks = [], log = false, logTime = false, label, least = {} }) {
	const { width, height, em } = measure(root, () => plot(root, { series, band, marks, log, logTime, label, least }));
	const all = [...series.flatMap((line) => line.points), ...band.map(([x, , high]) => [x, high])];
	const right = Math.max(least.x ?? 1, ...all.map((point) => point[0]));
	const top = Math.max(least.y ?? (log ? 10 : 1), ...all.map((point) => point[1]));
	const [left, base, end] = [2.6 * em, height - 1.4 * em, width - 0.8 * em];
	const along = logTime ? (value) => Math.log10(Math.max(FIRST_S, value) / FIRST_S) / Math.log10(right / FIRST_S) : (value) => value / right;
	const x = (value) => left + along(value) * (end - left);
	const share = log ? (value) => Math.log10(Math.max(1, value)) / Math.log10(top) : (value) => value / top;
	const y = (value) => base - share(value) * (base - 0.5 * em) * 0.92;
	const text = (words, x, y, anchor) => draw("text", { x, y, "text-anchor": anchor }, words);
	const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
	const levels = log ? Array.from({ length: Math.floor(Math.log10(top)) + 1 }, (_, i) => 10 ** i) : ticks(top);
	for (const level of levels) {
		svg.append(draw("line", { class: "grid", x1: left, x2: end, y1: y(level), y2: y(level) }), text(log ? short(level) : count(level), left - 6, y(level) + 4, "end"));
	}
	const times = logTime ? Array.from({ length: Math.floor(Math.log10(right / FIRST_S) + 1e-6) + 1 }, (_, i) => FIRST_S * 10 ** i) : ticks(right);
	for (const tick of times) svg.append(text(count(Number(tick.toPrecision(3))), x(tick), height - 4, "middle"));
	if (band.length) {
		const edge = [...band.map(([px, , high]) => [px, high]), ...band.map(([px, low]) => [px, low]).reverse()];
		svg.append(draw("path", { class: "band", d: `M${edge.map(([px, py]) => `${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("L")}Z` }));
	}
	for (const { points, steps, class: kind } of series) {
		const path = points.map(([px, py], i) => `${i === 0 ? "M" : steps ? `H${x(px).toFixed(1)}L` : "L"}${x(px).toFixed(1)} ${y(py).toFixed(1)}`);
		if (points.length) svg.append(draw("path", { class: kind, d: path.join(""), fill: "none" }));
	}
	for (const [px, py, kind] of marks) svg.append(draw("circle", { class: kind, cx: x(px), cy: y(py), r: 0.28 * em }));
	root.replaceChildren(svg);
}
