// A picture to slide: hills under a low sun, or the player's own, which this browser keeps. Each tile draws its part on its
// own canvas. The part of the picture that is shown has the shape of the board, so that nothing is stretched.

import { keep, recall } from "../dom.js";

const SIDE = 800;
const KEY = "picture";
let picture = null;
let isLoading = false;

/** Whether the picture is the player's own. */
export const isOwn = () => recall(KEY, "") !== "";

/** Takes a picture from a file and keeps it, no larger than tiles can show. */
export async function take(file) {
	const image = await createImageBitmap(file);
	const scale = Math.min(1, (2 * SIDE) / Math.max(image.width, image.height), SIDE / Math.min(image.width, image.height));
	const canvas = new OffscreenCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
	const pen = canvas.getContext("2d");
	pen.fillStyle = "#fff"; // behind what is transparent
	pen.fillRect(0, 0, canvas.width, canvas.height);
	pen.drawImage(image, 0, 0, canvas.width, canvas.height);
	picture = canvas;
	const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })).arrayBuffer());
	keep(KEY, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
}

/** Loads the picture that was kept, if any; resolves to whether there is one. */
export async function load() {
	if (!isOwn()) return false;
	isLoading = true;
	try {
		const bytes = Uint8Array.from(atob(recall(KEY, "")), (letter) => letter.charCodeAt(0));
		picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
	} catch {
		drop();
	}
	isLoading = false;
	return true;
}

/** Goes back to the hills. */
export function drop() {
	picture = null;
	keep(KEY, "");
}

/** Draws the part of the picture at cell `home`. */
export function cut(canvas, home, width, height) {
	canvas.width = canvas.height = 200;
	if (isLoading && !picture) return; // drawn again when it is there
	picture ??= paint();
	const side = Math.min(picture.width / width, picture.height / height);
	const [left, top] = [(picture.width - side * width) / 2, (picture.height - side * height) / 2];
	canvas.getContext("2d").drawImage(picture, left + (home % width) * side, top + Math.floor(home / width) * side, side, side, 0, 0, 200, 200);
}

function paint() {
	const canvas = new OffscreenCanvas(SIDE, SIDE);
	const pen = canvas.getContext("2d");
	const sky = pen.createLinearGradient(0, 0, SIDE * 0.4, SIDE);
	["#16324f", "#3d6f8e", "#e6a15c", "#f6d08a"].forEach((colour, i) => sky.addColorStop(i / 3, colour));
	pen.fillStyle = sky;
	pen.fillRect(0, 0, SIDE, SIDE);
	pen.fillStyle = "#fff4d6";
	for (let star = 0; star < 40; star++) pen.fillRect((star * 197) % SIDE, (star * 89) % 260, 3, 3);
	pen.arc(560, 400, 82, 0, 7);
	pen.fill();
	["#3b5c7a", "#2b4a5f", "#1c3a44", "#0f2a2c"].forEach((colour, i) => {
		pen.fillStyle = colour;
		pen.beginPath();
		pen.moveTo(0, SIDE);
		for (let x = 0; x <= SIDE; x += 8) pen.lineTo(x, 470 + 78 * i - (70 - 13 * i) * Math.sin(x * (i + 1) * 0.0036 + i * 1.3) - 18 * Math.sin(x / 37 + i));
		pen.lineTo(SIDE, SIDE);
		pen.fill();
	});
	return canvas;
}
