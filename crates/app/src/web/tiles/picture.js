// A picture to slide: one painted here (hills under a low sun, different near every corner, so that each tile can be told), or the player's own.
// Tiles draw their part on a canvas of their own, since a strict content policy allows no picture from memory.

const SIDE = 800;
let picture = null;

export function current() {
  return (picture ??= paint());
}

/** Takes a picture from a file, cut to a square. */
export async function take(file) {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  canvas.getContext("2d").drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  picture = canvas;
}

/** Draws the part of a tile that belongs to cell `home`. */
export function cut(canvas, home, width, height) {
  const [w, h] = [SIDE / width, SIDE / height];
  canvas.width = canvas.height = 200;
  canvas.getContext("2d").drawImage(current(), (home % width) * w, Math.floor(home / width) * h, w, h, 0, 0, 200, 200);
}

function paint() {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const pen = canvas.getContext("2d");
  const sky = pen.createLinearGradient(0, 0, SIDE * 0.4, SIDE);
  [[0, "#16324f"], [0.45, "#3d6f8e"], [0.7, "#e6a15c"], [1, "#f6d08a"]].forEach(([at, colour]) => sky.addColorStop(at, colour));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = "#fff4d6";
  pen.beginPath();
  pen.arc(560, 400, 82, 0, 7);
  pen.fill();
  pen.fillStyle = "rgb(255 255 255 / .75)";
  for (let i = 0; i < 40; i++) pen.fillRect((i * 197) % SIDE, (i * 89) % 260, 2 + (i % 3), 2 + (i % 3));
  [["#3b5c7a", 470, 70, 0.9], ["#2b4a5f", 540, 60, 1.7], ["#1c3a44", 620, 48, 2.6], ["#0f2a2c", 705, 30, 3.9]].forEach(([colour, base, rise, waves], i) => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(0, SIDE);
    for (let x = 0; x <= SIDE; x += 8) pen.lineTo(x, base - rise * Math.sin((x / SIDE) * waves * Math.PI + i * 1.3) - (rise / 3) * Math.sin(x / 37 + i));
    pen.lineTo(SIDE, SIDE);
    pen.fill();
  });
  pen.fillStyle = "#0b2021";
  for (let i = 0; i < 26; i++) {
    const [x, y, s] = [(i * 311) % SIDE, 690 + ((i * 53) % 90), 18 + ((i * 7) % 22)];
    pen.beginPath();
    pen.moveTo(x, y - s * 2);
    pen.lineTo(x + s * 0.6, y);
    pen.lineTo(x - s * 0.6, y);
    pen.fill();
  }
  return canvas;
}
