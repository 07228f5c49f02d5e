// What both games share: undo and redo, help, solving, playback and links.
//
// A state `{ game, path, … }` is immutable. All states since a start share one `game` object, which remembers that help
// was used: undoing a hint does not undo having seen it.

import { advisor } from "./advisor.js";
import { solve as ask, post, version } from "./api.js";
import { count, direction, find, tell, wire } from "./dom.js";
import { History } from "./history.js";
import { Playback } from "./playback.js";
import { download, link, offer } from "./share.js";

/**
 * A game on the page, in elements whose ids start with `prefix`. `rules` has the parts that differ: `isSolved`, `trouble`
 * (why it cannot be played), `name` (the key for advice), `question` (for the service), `walk` (the states along a
 * path), `cost` of a state, the words `unit`, `left` and `best`, `first` (the state at the start), `hint` and `step` (a
 * text and a move from advice), `praise` for a plan, `offers` next to bad news, `shared` (for a link), and handlers for
 * `leave`, `arrive`, `go` (a letter), `keys`, `again`, `edit` and `refresh`.
 */
export function playing(prefix, rules) {
	const at = (id) => find(`#${prefix}-${id}`);
	const message = at("message");
	const word = (text, tone, offers) => tell(message, text, tone, offers);
	const refuse = (text) => word(text, "bad", rules.offers());
	const playback = new Playback(at("playback"), showPlan);
	const advice = advisor(rules);
	let history = null;
	let job = null; // the running solve
	let rung = 0; // how much the hint reveals: 0 nothing, then a little more each time
	let plan = null; // the states of the playback
	const now = () => history.now;

	/** Ends hints, playback and a running solve. */
	function leave() {
		rung = 0;
		plan = null;
		playback.close();
		job?.cancel();
		job = null;
		rules.leave?.();
	}

	function push(state) {
		leave();
		if (history) history.push(state);
		else history = new History([state]);
	}

	/** The history as data for the next visit, and back. */
	const save = (write) => history.save(write);
	function restore(kept, read) {
		history = History.load(kept, read, rules);
	}

	function travel(name) {
		leave();
		if (!history[name]()) return word(`Nothing to ${name}.`);
		word("");
		rules.arrive();
	}
	const undo = () => travel("undo");
	const redo = () => travel("redo");

	/** Whether there is nothing to help with. Says so if it is true. */
	function idle(state) {
		const trouble = rules.trouble(state);
		if (trouble) refuse(trouble);
		else if (rules.isSolved(state)) word("It is already solved.");
		else return false;
		return true;
	}

	const needed = (found) => `at least ${count(found?.lower ?? 0)} ${rules.unit()} are needed`;
	const quality = (found) => {
		const left = `${rules.left(found.upper)} to go`;
		return found.proven ? `proven ${rules.best}, ${left}` : `best known plan, ${left}, at least ${found.lower} needed`;
	};

	/** A plan from here, which counts as help. If there is no plan, says why and returns undefined. */
	async function help() {
		const state = now();
		if (idle(state)) return;
		if (!advice.known(state)?.plan) word("Looking for the best move…");
		try {
			const found = await advice.advise(state);
			if (now() !== state) return;
			if (!found?.plan) return word(`No hint: no plan was found in time; ${needed(found)}. Solve searches longer.`, "", [["Solve", () => solve()]]);
			state.game.assisted = true;
			return found;
		} catch (error) {
			if (now() === state && error.name !== "AbortError") refuse(error.message);
		}
	}

	async function hint() {
		const found = await help();
		if (!found) return;
		if (rung === 2) return step();
		rung++;
		word(`Hint: ${rules.hint(found, rung)} (${quality(found)}).`);
		rules.refresh({ quiet: true });
	}

	async function step() {
		const found = await help();
		if (!found) return;
		const done = rules.step(found);
		const left = advice.known(now());
		if (left && !rules.isSolved(now())) word(`${done} (${quality(left)}).`);
	}

	/** What a solve without a plan has reached. A cancelled one has only its progress. */
	function reached(record) {
		const why = { time: "", memory: "Out of memory. " }[record.stop] ?? "Stopped. ";
		const time = (record.wall_s ?? record.elapsed_s ?? 0).toFixed(1);
		return `${why}No plan found in ${time} s and ${count(record.expanded ?? 0)} states; ${needed(record)}. There may still be a plan: make some moves and ask again.`;
	}

	async function solve(seconds = 60) {
		if (job) return job.cancel();
		const state = now();
		if (idle(state)) return;
		const ready = advice.known(state);
		if (ready?.proven) return load(ready);
		leave();
		const mine = ask({ ...rules.question(state), time_limit_s: seconds }, ({ lower, upper, expanded, elapsed_s }) => {
			if (job !== mine) return;
			const most = upper == null ? "" : `, at most ${upper}`;
			// Shown, but not announced to screen readers.
			find("p", message).textContent = `Solving: at least ${lower}${most}; ${count(expanded)} nodes, ${elapsed_s.toFixed(1)} s`;
		});
		job = mine;
		word("Solving…", "", [["Stop", () => mine.cancel()]]);
		rules.refresh({ quiet: true });
		let found = null;
		let [problem, late] = ["", null];
		try {
			const record = await mine.done;
			if (record.plan != null) advice.learn(state, { ...record, proven: record.status === "optimal" });
			else if (record.status === "unsolvable") problem = `This cannot be solved: ${record.reason ?? "no plan exists"}.`;
			else late = record;
			found = advice.known(state);
		} catch (error) {
			problem = error.message;
			if (error.status === 0 && rules.offline) found = await advice.advise(state).catch(() => null);
		}
		const offers = late?.stop === "time" ? await longer(seconds) : [];
		if (job !== mine) return; // ended meanwhile
		job = null;
		if (found?.plan) load(found);
		else if (late) word(reached(late), "", offers);
		else refuse(problem);
		rules.refresh({ quiet: true });
	}

	/** Offers a longer solve, if the service allows it. */
	async function longer(seconds) {
		const { time_limit_s: most = Infinity } = await version.catch(() => ({}));
		const more = Math.min(5 * seconds, most);
		return more > seconds ? [["Search longer", () => solve(more)]] : [];
	}

	/** Plays a plan back from here. */
	function load(found) {
		const state = now();
		state.game.assisted = true;
		start(rules.walk(state, found.plan));
		const offers = found.proven ? [["Certify it", () => certify(state, found)]] : [];
		word(rules.praise(found), found.proven ? "won" : "", offers);
	}

	/** Has a plan proven optimal, and offers the proof as a file. */
	async function certify(state, found) {
		word("Writing a proof that no plan is better, and checking it…");
		try {
			// A level's plan is kept in the page's own form, so the service finds it again.
			const plan = rules.path ? {} : { plan: found.plan };
			const made = await post("certify", { ...rules.question(state), ...plan, time_limit_s: 10 });
			if (now().game !== state.game) return; // another puzzle in the meantime
			if (!made.verified) return word(`No certificate: ${made.error}.`, "bad");
			const size = `${count(Math.ceil(made.certificate_bytes / 1000))} KB`;
			const file = made.certificate_base64;
			const said = `Verified: ${made.proved}.${file ? " Check it yourself: noyes-check noyes.cert" : ""}`;
			word(said, "won", file ? [[`Download the certificate (${size})`, () => download("noyes.cert", file)]] : []);
		} catch (error) {
			word(error.message, "bad");
		}
	}

	/** Plays the game so far from its start. */
	function replay(speed) {
		if (!now().path) return word("No moves to replay yet.");
		start(rules.walk(rules.first(now().game), now().path), speed);
	}

	/** Starts a playback. Its position becomes the game's state; undo treats all of it as one step. */
	function start(states, speed) {
		leave();
		history.push(now());
		plan = states;
		playback.load(states.length - 1, speed);
		playback.play();
	}
	function showPlan(position, pause) {
		if (!plan) return;
		history.replace(plan[position]);
		rules.refresh({ pace: Math.min(140, pause * 0.8), quiet: playback.playing });
	}

	/** Plays back the moves of a link. One undo leads to the start. */
	function fromLink(path, parameters) {
		now().game.assisted = true;
		const states = rules.walk(now(), path);
		start(states, Number(parameters.get("replay")));
		if (!parameters.get("replay")) playback.seek(states.length - 1);
		word("A replay from a link. Undo to play it yourself from the start.");
	}

	/** Updates the buttons. */
	function controls() {
		at("undo").disabled = !history.past;
		at("redo").disabled = !history.future;
		find("span", at("hint")).textContent = rules.rungs[rung];
		find("span", at("solve")).textContent = job ? "Stop" : "Solve";
	}

	const actions = { t: hint, n: step, p: solve, u: undo, y: redo, r: () => rules.again(), e: () => rules.edit() };
	function key(event) {
		if (!history || rules.keys?.(event)) return Boolean(history);
		const letter = direction(event);
		const action = actions[event.key.toLowerCase()];
		if (letter && event.key.startsWith("Arrow") && (event.shiftKey || rules.isEditing())) rules.cells.wander(letter);
		else if (letter) rules.go(letter);
		else if (playback.key(event)) return true;
		else if (event.key === "Escape" && rules.isEditing()) rules.edit();
		else if (action) action();
		else return false;
		return true;
	}

	// On a phone, the tools are far below the board that they change.
	find(`#${rules.view} .tools`).addEventListener("click", () => message.scrollIntoView({ block: "nearest" }));
	wire(prefix, {
		hint, step, solve, undo, redo,
		replay: () => replay(),
		edit: () => rules.edit(),
		race() {
			location.hash = `race?puzzle=${encodeURIComponent(rules.question(now()).puzzle)}`;
		},
		share: () => offer((withMoves) => {
			const replayed = withMoves && now().path ? { replay: playback.speed.value } : { moves: "" };
			return link(rules.view, { ...rules.shared(now()), ...replayed });
		}),
	});

	return {
		...advice, at, controls, fromLink, key, leave, load, now, playback, push, redo, refuse, replay, restore, save, undo, word,
		close: () => playback.pause(),
		past: () => history.past,
		ready: () => history !== null,
		rung: () => rung,
	};
}
