// The solver in this browser: workers that answer the questions of the service with the same JSON.
//
// A worker answers one question at a time and cannot hear anything meanwhile, so a search is stopped by ending its
// worker. A short question that nobody waits for any more may run to its end: a worker that stays keeps its tables.

const MOST_WORKERS = Math.min(4, Math.max(2, (navigator.hardwareConcurrency ?? 2) - 1));
/** A worker that has taken more memory is not used again, because WebAssembly never gives memory back. */
const MOST_BYTES = 512e6;

const idle = [];
const busy = new Set(); // tasks: { path, body, worker, unwanted, onProgress, resolve }
const waiting = [];
let code = null;

/** The compiled code, once for all workers. */
async function compile() {
	const response = await fetch(new URL("noyes.wasm", import.meta.url));
	if (!response.ok) throw new Error(`The solver cannot be loaded (${response.status}).`);
	return WebAssembly.compile(await response.arrayBuffer());
}

/** An answer in the form of the service, or an error with its message and status. */
export async function answer(path, body, options) {
	const { status, answer: found } = await ask(path, body, options).catch((error) => {
		throw error.name === "AbortError" ? error : Object.assign(error, { status: 0 });
	});
	if (status >= 400) throw Object.assign(new Error(found.detail), { status });
	return { status: 200, answer: status === 0 ? stopped(found) : found };
}

/** The record of a search that was stopped, by its last progress. */
function stopped(last) {
	const { elapsed_s: wall_s, ...progress } = last ?? { lower: 0, upper: null, elapsed_s: 0 };
	return { status: "limit", stop: "interrupted", plan: null, ...progress, wall_s };
}

/**
 * Answers a question: `{ status, answer }`. `signal` says that the answer is no longer wanted; `stop` ends the search,
 * whose last progress is then the answer, with status 0.
 */
async function ask(path, body, { signal, stop, onProgress } = {}) {
	code ??= compile();
	code.catch(() => {
		code = null; // tried again next time
	});
	const module = await code;
	const late = () => new DOMException("too late", "AbortError");
	if (signal?.aborted) throw late();
	return new Promise((resolve, reject) => {
		const task = { module, path, body, resolve, progress: null, unwanted: false };
		task.onProgress = (progress) => {
			task.progress = progress;
			onProgress?.(progress);
		};
		const leave = (task_stopped) => {
			const place = waiting.indexOf(task);
			if (place >= 0) waiting.splice(place, 1);
			else if (task_stopped) end(task);
			task.unwanted = true;
			next();
		};
		const stopped = () => {
			leave(true);
			resolve({ status: 0, answer: task.progress });
		};
		signal?.addEventListener("abort", () => {
			leave(false);
			reject(late());
		});
		stop?.addEventListener("abort", stopped);
		if (stop?.aborted) return stopped();
		waiting.push(task);
		next();
	});
}

/** Ends the worker of a task. */
function end(task) {
	if (busy.delete(task)) task.worker.terminate();
}

/** Starts the next tasks. If all workers are busy, one whose answer nobody wants is ended. */
function next() {
	while (waiting.length) {
		if (!idle.length && busy.size >= MOST_WORKERS) {
			const unwanted = [...busy].find((task) => task.unwanted);
			if (!unwanted) return;
			end(unwanted);
		}
		run(waiting.shift());
	}
}

function run(task) {
	const worker = idle.pop() ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
	task.worker = worker;
	busy.add(task);
	const done = (reply) => {
		if (!busy.delete(task)) return;
		if (reply.bytes > MOST_BYTES) worker.terminate();
		else idle.push(worker);
		task.resolve(reply);
		next();
	};
	worker.onmessage = ({ data }) => (data.progress ? task.onProgress(data.progress) : done(data));
	worker.onerror = () => done({ status: 500, answer: { detail: "The solver cannot be started in this browser." }, bytes: Infinity });
	worker.postMessage({ module: task.module, path: task.path, body: task.body });
}
