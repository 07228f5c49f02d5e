// Solves boards of Korf with the solver of the static site, outside of a browser, and prints the time of each:
//   node tests/browser/korf.js target/site/solver/noyes.wasm data/korf15.csv 20

import { readFile } from "node:fs/promises";

const [, , code, list, boards] = process.argv;
const clock = { now_ms: () => performance.now() };
const begun = performance.now();
const { instance } = await WebAssembly.instantiate(await readFile(code), { worker: clock });
const solver = instance.exports;
const started = performance.now();

function solve(body) {
  const bytes = new TextEncoder().encode(`solve${JSON.stringify(body)}`);
  const at = solver.input(bytes.length);
  new Uint8Array(solver.memory.buffer, at, bytes.length).set(bytes);
  solver.answer("solve".length);
  const [from, length] = [solver.output(), solver.output_bytes()];
  return JSON.parse(new TextDecoder().decode(new Uint8Array(solver.memory.buffer, from, length)));
}

const lines = (await readFile(list, "utf8")).split("\n").filter((line) => /^\d+,/.test(line));
for (const line of lines.slice(0, Number(boards ?? 100))) {
  const [id, state] = line.split(",");
  const tiles = state.trim().split(/\s+/);
  const puzzle = [0, 4, 8, 12].map((i) => tiles.slice(i, i + 4).join(" ")).join("/");
  const { status, cost, generated, wall_s, heuristic } = solve({ puzzle, goal: "blank-first" });
  console.log(`${id} ${status} ${cost} ${generated} ${(wall_s * 1000).toFixed(1)} ms ${heuristic}`);
}
console.log(`${((performance.now() - started) / 1000).toFixed(2)} s, and ${((started - begun) / 1000).toFixed(2)} s to compile; ${Math.round(solver.memory.buffer.byteLength / 1e6)} MB`);
