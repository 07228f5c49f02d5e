// The folder of the level that is played: export, and for the player's own levels a new name, or away with it.

import { ask, find, plural, wire } from "../dom.js";
import { download } from "../share.js";
import { adopt, discardFolder, MINE, renameFolder, SHIPPED } from "./levels.js";
import { folderWritten } from "./shelf.js";

/** Connects the buttons. `levels()` are all levels, `current()` is the one that is played, and `changed()` reads them again. */
export function folders({ levels, current, changed, word }) {
	/** Shows the folder of a level, or of one that is in no list. */
	function show(level) {
		find("#s-folder").textContent = level?.folder ?? MINE;
		find("#s-export").disabled = !level;
		find("#s-folder-own").hidden = !level?.own;
	}

	/** Saves the folder as a file. */
	function save() {
		const { folder } = current();
		const text = folderWritten(folder, levels().filter((level) => level.folder === folder));
		const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
		download(`${folder.replace(/[^\p{L}\p{N} _-]/gu, "_")}.xsb`, btoa(bytes));
	}

	async function rename() {
		const { folder } = current();
		const field = find("#folder-name");
		field.value = folder;
		const name = () => field.value.trim();
		const answer = await ask(find("#folder-dialog"), () => {
			if (!name()) throw new Error("A folder needs a name.");
			if (name() === SHIPPED) throw new Error("This name is for the levels that come with noyes.");
		});
		if (!answer || name() === folder) return;
		const isTaken = levels().some((level) => level.folder === name());
		renameFolder(folder, name());
		await changed();
		word(isTaken ? `The levels of ${folder} are in ${name()} now.` : `The folder is called ${name()} now.`);
	}

	async function remove() {
		const { folder } = current();
		const gone = discardFolder(folder);
		await changed();
		const back = async () => {
			adopt(gone, "");
			await changed();
			word("");
		};
		word(`Deleted ${folder} with ${plural(gone.length, "level")}.`, "", [["Restore", back]]);
	}

	wire("s", { export: save, "folder-rename": rename, "folder-delete": remove });
	return { show };
}
