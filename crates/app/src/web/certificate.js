// Checks certificates in this browser, with noyes-check: nobody else has to be trusted.

import { verify } from "./api.js";
import { find, make } from "./dom.js";

const dialog = find("#check-dialog");
const file = find("#check-file");
const [verdict, reasons] = [find("#check-verdict"), find("#check-reasons")];

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
		const { verified, proved, because, puzzle, error } = await verify(new Uint8Array(await picked.arrayBuffer()));
		if (verified) show(`Verified: ${proved}.`, "good", [puzzle, ...because]);
		else show(`Refused: ${error}.`, "problem");
	} catch (error) {
		show(error.message, "problem");
	}
	file.value = "";
};

find("#check-open").hidden = false;
find("#check-open").onclick = () => {
	show("");
	dialog.showModal();
};
