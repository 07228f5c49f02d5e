// Links that contain everything: `#view?name=value…`. The part after # never leaves the browser.

import { find, make } from "./dom.js";

/** The view and the parameters of this page's address. */
export function here() {
	const [view, query = ""] = location.hash.slice(1).split("?");
	return { view, parameters: new URLSearchParams(query) };
}

/** An address of this page, without the empty parameters. */
export function link(view, parameters) {
	const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "" && value != null));
	return `${location.origin}${location.pathname}#${view}?${query}`;
}

/** Shows a link to copy, which `written(withMoves)` returns. */
export function offer(written) {
	const dialog = find("#share-dialog");
	const [field, moves, copy, word] = ["#share-link", "#share-moves", "#share-copy", ".problem"].map((at) => find(at, dialog));
	const fill = () => {
		field.value = written(moves.checked);
		word.textContent = "";
	};
	fill();
	moves.onchange = fill;
	copy.onclick = async () => {
		field.select();
		try {
			await navigator.clipboard.writeText(field.value);
			word.textContent = "Copied.";
		} catch {
			word.textContent = "Selected: copy it with Ctrl+C.";
		}
	};
	dialog.showModal();
	field.select();
}

/** Saves a file, given in Base64. */
export function download(name, base64) {
	const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
	make("a", { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
}
