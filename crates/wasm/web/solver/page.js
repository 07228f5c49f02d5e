// What a page with the solver does differently: it keeps the solver for offline use, says where it solves, and checks
// certificates with noyes-check in this browser, so that nobody else has to be trusted.

import { find, make } from "../dom.js";
import { SERVICE } from "../site.js";
import { answer } from "./pool.js";

// The service worker keeps what is fetched from this folder, but it may start too late for these.
globalThis.caches?.open("noyes").then((cache) => cache.addAll(["page.js", "pool.js", "worker.js", "noyes.wasm"].map((file) => `solver/${file}`))).catch(() => {});
find("footer a").hidden = !SERVICE;

const file = make("input", { type: "file", id: "check-file" });
const verdict = make("p", { id: "check-verdict", role: "status" });
const reasons = make("ul", { id: "check-reasons" });
const close = make("button", { type: "button", class: "primary", textContent: "Close", onclick: () => dialog.close() });
const dialog = make("dialog", { "aria-labelledby": "check-title" }, make("form", { method: "dialog" },
	make("h2", { id: "check-title", textContent: "Check a certificate" }),
	make("label", { class: "file" }, "A file of noyes certify, checked by noyes-check in this browser", file),
	verdict, reasons, make("div", { class: "buttons" }, close)));
const open = make("button", { type: "button", class: "link", id: "check-open", textContent: "Check a certificate" });

function show(text, tone = "", because = []) {
	verdict.textContent = text;
	verdict.className = tone;
	reasons.replaceChildren(...because.map((textContent) => make("li", { textContent })));
}

file.onchange = async () => {
	const [picked] = file.files;
	if (!picked) return;
	show(`Checking ${picked.name}…`);
	try {
		const { verified, proved, because, puzzle, error } = (await answer("verify", new Uint8Array(await picked.arrayBuffer()))).answer;
		if (verified) show(`Verified: ${proved}.`, "good", [puzzle, ...because]);
		else show(`Refused: ${error}.`, "problem");
	} catch (error) {
		show(error.message, "problem");
	}
	file.value = "";
};
open.onclick = () => {
	show("");
	dialog.showModal();
};

document.body.append(dialog);
find("footer").append(" ", open, SERVICE ? "" : " Everything runs in this browser, SAT by batsat.");
