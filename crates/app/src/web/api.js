// The service as the page uses it: single requests, and jobs that report their progress. Or the solver here.

import { events } from "./events.js";
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

async function reach(method, path, body, signal) {
	try {
		return await fetch(`${ROOT}/${path}`, {
			method,
			signal,
			headers: { ...(body && { "content-type": "application/json" }), ...(token && { authorization: `Bearer ${token}` }) },
			body: body && JSON.stringify(body),
		});
	} catch (error) {
		if (error.name === "AbortError") throw error;
		throw refusal("The service cannot be reached.", 0);
	}
}

async function request(method, path, body, options) {
	let away = refusal("The solver cannot be loaded.", 0);
	try {
		if (SERVICE) return await remotely(method, path, body, options?.signal);
	} catch (error) {
		if (!SOLVER || error.status !== 0 || path.startsWith("jobs/")) throw error;
		away = error;
	}
	const solver = await import("./solver/pool.js").catch(() => {
		throw away;
	});
	return solver.answer(path, body, options);
}

async function remotely(method, path, body, signal) {
	const response = await reach(method, path, body, signal);
	const answer = await response.json().catch(() => ({}));
	if (!response.ok) throw refusal(answer.detail || answer.title || `The service answered ${response.status}.`, response.status);
	return { status: response.status, answer };
}

export const post = async (path, body, signal) => (await request("POST", path, await allowed(body), { signal })).answer;
export const get = async (path) => (await request("GET", path)).answer;

/** The version of the service, and what it allows. */
export const version = get("version");

/** The body, with no more time than the service allows, which would refuse it otherwise. */
async function allowed(body) {
	const { time_limit_s: most = Infinity } = await version.catch(() => ({}));
	return body.time_limit_s > most ? { ...body, time_limit_s: most } : body;
}

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
		const { status, answer } = await request("POST", "solve", await allowed({ wait_s: 0, ...body }), { stop: abort.signal, onProgress });
		if (status !== 202) return answer;
		id = answer.id;
		stop();
		if (answer.progress) onProgress(answer.progress);
		return follow(id, onProgress);
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

// Browsers open only six connections to a host, for all tabs together, and a race has more lanes. So a page reads the
// events of two jobs at a time and polls the others.
const MOST_STREAMS = 2;
let streams = 0;

/** Follows a job to its record: by its events, or by polling if there are too many streams or this one has broken. */
async function follow(id, onProgress) {
	for (let isBroken = false; ; ) {
		if (streams < MOST_STREAMS && !isBroken) {
			const record = await stream(id, onProgress).catch(() => null);
			if (record) return record;
			isBroken = true;
		}
		const job = await get(`jobs/${id}`);
		if (job.result) return job.result;
		if (job.progress) onProgress(job.progress);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** The record of a job from its events, or null if they end without it. */
async function stream(id, onProgress) {
	streams++;
	try {
		const response = await reach("GET", `jobs/${id}/events`);
		if (!response.ok) return null;
		for await (const { event, data } of events(response.body)) {
			if (event === "done") return data;
			onProgress(data);
		}
		return null;
	} finally {
		streams--;
	}
}
