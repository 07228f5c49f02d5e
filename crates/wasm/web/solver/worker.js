// The solver in a worker: answers one question after another, and reports its progress in between. pool.js starts it.

const REPORT_MS = 200;

let solver = null;
let begun = 0;
let reported = 0;

/** The solver's clock. It asks about once a millisecond, so this is also where progress is reported. */
function now_ms() {
	const now = performance.now();
	if (now - reported > REPORT_MS) {
		reported = now;
		solver.progress((now - begun) / 1000);
		postMessage({ progress: output() });
	}
	return now;
}

const output = () => JSON.parse(new TextDecoder().decode(new Uint8Array(solver.memory.buffer, solver.output(), solver.output_bytes())));

function answer(path, body) {
	// Only the browser has randomness.
	if (path === "generate") body = { seed: crypto.getRandomValues(new Uint32Array(1))[0], ...body };
	const name = new TextEncoder().encode(path);
	const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body ?? {}));
	const at = solver.input(name.length + bytes.length);
	const input = new Uint8Array(solver.memory.buffer, at, name.length + bytes.length);
	input.set(name);
	input.set(bytes, name.length);
	begun = reported = performance.now();
	const status = solver.answer(name.length);
	return { status, answer: output(), bytes: solver.memory.buffer.byteLength };
}

onmessage = ({ data: { module, path, body } }) => {
	try {
		solver ??= new WebAssembly.Instance(module, { worker: { now_ms } }).exports;
		postMessage(answer(path, body));
	} catch {
		// Out of memory, or a bug. What the solver left behind cannot be used again.
		postMessage({ status: 500, answer: { detail: "The search ran out of memory or failed in this browser." }, bytes: Infinity });
	}
};
