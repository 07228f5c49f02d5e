// What must be there before the first paint: the view, the colours, and elements that the page is written with.
// A classic script in the head: a module would run after the page has been shown without them.
document.documentElement.dataset.view = location.hash.match(/^#(tiles|sokoban|race)\b/)?.[1] ?? "tiles";
try {
	document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("noyes.theme"));
} catch {
	// Without storage, or with nonsense in it, the system decides.
}

/** `<n-icon of="name">`: a drawing of icons.svg. */
customElements.define("n-icon", class extends HTMLElement {
	connectedCallback() {
		this.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><use href="icons.svg#${this.getAttribute("of")}"/></svg>`;
	}
});

/** `<play-bar of="prefix">`: what both games have below their board; play.js gives it life. */
customElements.define("play-bar", class extends HTMLElement {
	connectedCallback() {
		const prefix = this.getAttribute("of");
		const button = (name, label, title) => `<button id="${prefix}-${name}" title="${title}"><n-icon of="${name}"></n-icon><span>${label}</span></button>`;
		this.innerHTML = `<div class="message" id="${prefix}-message"><p></p><span class="offers"></span></div>
			<div class="actions">${button("hint", "Hint", "Hint (t)")}${button("step", "Best move", "Make the best move (n)")}
			${button("solve", "Solve", "Solve and play back (p)")}${button("undo", "Undo", "Undo (u)")}${button("redo", "Redo", "Redo (y)")}</div>
			<div class="playback" id="${prefix}-playback"></div>`;
	}
});
