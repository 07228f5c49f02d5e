// What must be ready before the first paint: the view, the colours and the custom elements.
// This is a classic script in the head, because a module would run after the first paint.
document.documentElement.dataset.view = location.hash.match(/^#(tiles|sokoban|daily|speed|teach|pull|race)\b/)?.[1] ?? "tiles";
try {
	document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("noyes.theme"));
} catch {
	// Without a stored theme the system decides.
}

/** `<n-icon of="name">`: a symbol from icons.svg. */
customElements.define("n-icon", class extends HTMLElement {
	connectedCallback() {
		this.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><use href="icons.svg#${this.getAttribute("of")}"/></svg>`;
	}
});

/** `<play-bar of="prefix">`: the actions of both games; play.js connects them. */
customElements.define("play-bar", class extends HTMLElement {
	connectedCallback() {
		const prefix = this.getAttribute("of");
		const button = (name, label, title) => `<button id="${prefix}-${name}" title="${title}"><n-icon of="${name}"></n-icon><span>${label}</span></button>`;
		this.innerHTML = `<div class="actions">${button("hint", "Hint", "Hint (t)")}${button("step", "Best move", "Make the best move (n)")}
			${button("solve", "Solve", "Solve and play back (p)")}${button("undo", "Undo", "Undo (u)")}${button("redo", "Redo", "Redo (y)")}</div>`;
	}
});
