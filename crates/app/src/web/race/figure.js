// The plots of a race as one SVG file that looks the same without this page: titles, a legend, and plain colours instead of
// the page's styles.

import { draw } from "../dom.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "stroke-linecap", "stroke-linejoin"];
const [LINE, SPACE] = [20, 24];

/** The text of an SVG file. `plots`: `[{ title, svg }]`; `entries` of the legend: `[{ name, class }]`; `root` is on the page. */
export function figure(plots, entries, root) {
	const sizes = plots.map(({ svg }) => svg.viewBox.baseVal);
	const width = Math.max(...sizes.map((size) => size.width)) + 2 * SPACE;
	const sheet = draw("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": "Figtree, system-ui, sans-serif" });
	const paper = draw("rect", { width: "100%", height: "100%" });
	sheet.append(paper);
	root.append(sheet); // on the page, so that the browser knows its styles
	const ink = getComputedStyle(root).color;
	const write = (words, x, y, size) => draw("text", { x, y, fill: ink, stroke: "none", "font-size": size }, words);
	let y = SPACE;
	plots.forEach(({ title, svg }, i) => {
		sheet.append(write(title, SPACE, y + 4, 15));
		const copy = draw("g", { transform: `translate(${SPACE} ${y + 12})` }, ...[...svg.children].map((child) => plain(child)));
		sheet.append(copy);
		y += sizes[i].height + 12 + SPACE + 8;
	});
	for (const entry of entries) {
		const key = draw("path", { class: entry.class, d: `M${SPACE} ${y - 4}h32` });
		sheet.append(key, write(entry.name, SPACE + 42, y, 13));
		key.replaceWith(plain(key));
		y += LINE;
	}
	paper.setAttribute("fill", getComputedStyle(document.querySelector(".card")).backgroundColor);
	for (const [name, value] of Object.entries({ width, height: y, viewBox: `0 0 ${width} ${y}` })) sheet.setAttribute(name, value);
	sheet.remove();
	return new XMLSerializer().serializeToString(sheet);
}

/** A copy of an element with the styles that it has on the page. */
function plain(element) {
	const styles = getComputedStyle(element);
	const copy = element.cloneNode(true);
	copy.removeAttribute("class");
	for (const name of STYLES) copy.setAttribute(name, styles.getPropertyValue(name));
	return copy;
}
