// The service as the page uses it: single requests, and jobs that report their progress. Or the solver here.

import { SERVICE, SOLVER } from "./site.js";

const ROOT = "api/v1";

// The token of a server that asks for one: from the address that it printed, kept while this tab is open.
const TOKEN = "noyes.token";
const address = new URL(location);
const given = address.searchParams.get("token");
if (given) {
	address.searchParams.delete("token");
	history.replaceState(history.state, "", address);
	try {
		sessionStorage.setItem(TOKEN, given);
	} catch {
		// Without storage it lasts until the page is left.
	}
}
let token = given;
try {
	token ??= sessionStorage.getItem(TOKEN);
} catch {
	// Without storage, the token is lost when the page is left.
}

/** An error with the service's own message; `status` 0 means that it was not reached. */
const refusal = (message, status) => Object.assign(new Error(message), { status });

async function request(method, path, body, options) {
	try {
		if (SERVICE) return await remotely(method, path, body, options?.signal);
	} catch (error) {
		if (!SOLVER || error.status !== 0 || path.startsWith("jobs/")) throw error;
	}
	return (await import("./solver/pool.js")).answer(path, body, options);
}

async function remotely(method, path, body, signal) {
	let response;
	try {
		response = await fetch(`${ROOT}/${path}`, {
			method,
			signal,
			headers: { ...(body && { "content-type": "application/json" }), ...(token && { authorization: `Bearer ${token}` }) },
			body: body && JSON.stringify(body),
		});
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw refusal("The service cannot be reached.", 0);
	}
	const answer = await response.json().catch(() => ({}));
	if (!response.ok) throw refusal(answer.detail || answer.title || `The service answered ${response.status}.`, response.status);
	return { status: response.status, answer };
}

export const post = async (path, body, signal) => (await request("POST", path, body, { signal })).answer;
export const get = async (path) => (await request("GET", path)).answer;

/**
 * Solves a puzzle and reports progress. Returns `{ done, cancel }`: `done` resolves to the record, and `cancel` stops
 * the engine, whose bounds are then in the record.
 */
export function solve(body, onProgress) {
	let id = null;
	let cancelled = false;
	const abort = new AbortController();
	const stop = () => cancelled && id && request("DELETE", `jobs/${id}`).catch(() => {});
	const run = async () => {
		const { status, answer } = await request("POST", "solve", { wait_s: 0, ...body }, { stop: abort.signal, onProgress });
		if (status !== 202) return answer;
		id = answer.id;
		stop();
		if (answer.progress) onProgress(answer.progress);
		return poll(id, onProgress);
	};
	return {
		done: run(),
		cancel() {
			cancelled = true;
			abort.abort();
			stop();
		},
	};
}

// Polls instead of using event streams: browsers open only six connections to a host, and a race has more lanes.
async function poll(id, onProgress) {
	for (;;) {
		const job = await get(`jobs/${id}`);
		if (job.result) return job.result;
		if (job.progress) onProgress(job.progress);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}
