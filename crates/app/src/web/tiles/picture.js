// A picture to slide: hills under a low sun, or the player's own. Each tile draws its part on its own canvas, because the
// content policy does not allow images from memory.

const SIDE = 800;
let picture = null;

/** Loads a picture from a file, cropped to a square. */
export async function take(file) {
	const image = await createImageBitmap(file);
	const side = Math.min(image.width, image.height);
	const canvas = new OffscreenCanvas(SIDE, SIDE);
	canvas.getContext("2d").drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
	picture = canvas;
}

/** Draws the part of the picture at cell `home`. */
export function cut(canvas, home, width, height) {
	const [w, h] = [SIDE / width, SIDE / height];
	canvas.width = canvas.height = 200;
	picture ??= paint();
	canvas.getContext("2d").drawImage(picture, (home % width) * w, Math.floor(home / width) * h, w, h, 0, 0, 200, 200);
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
