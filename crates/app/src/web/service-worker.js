// Makes the page work offline after the first load. Files come from the network, so that versions never mix, and from
// the cache when the network cannot be reached.

const CACHE = "noyes";
const FILES = [
	"./", "advisor.js", "api.js", "app.js", "cells.js", "dom.js", "early.js", "events.js", "hero.js", "history.js", "play.js", "playback.js", "plot.js", "share.js", "site.js", "sound.js", "stopwatch.js", "style.css", "views.css", "welcome.js",
	"fonts/figtree.woff2", "icons.svg", "logo.svg", "manifest.webmanifest",
	"tiles/board.js", "tiles/game.js", "tiles/grid.js", "tiles/picture.js", "tiles/search.js", "tiles/stats.js", "tiles/worker.js",
	"sokoban/dead.js", "sokoban/editor.css", "sokoban/editor.js", "sokoban/folders.js", "sokoban/game.js", "sokoban/level.js", "sokoban/levels.js", "sokoban/optimum.js", "sokoban/path.js",
	"sokoban/pieces.js", "sokoban/previews.js", "sokoban/pull.js", "sokoban/shelf.js", "sokoban/turn.js", "sokoban/verdict.js", "sokoban/yard.js", "sokoban/zoom.js",
	"race/figure.js", "race/race.js", "race/lanes.js",
	"daily/daily.css", "daily/daily.js", "daily/day.js", "daily/results.js",
	"teach/stages.js", "teach/teach.css", "teach/teach.js",
	"speed/bindings.js", "speed/session.js", "speed/speed.css", "speed/speed.js",
];
const ANSWERS = ["api/v1/levels", "api/v1/version"];
const KEPT = new Set([...FILES, ...ANSWERS].map((path) => new URL(path, location).href));

addEventListener("install", (event) => {
	event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
	const { method, url } = event.request;
	const { origin, pathname } = new URL(url);
	// Other requests are left alone.
	if (method === "GET" && (KEPT.has(origin + pathname) || pathname.includes("/solver/"))) event.respondWith(freshOrKept(event.request, origin + pathname));
});

// Kept without the query, which may hold a token.
async function freshOrKept(request, address) {
	const cache = await caches.open(CACHE);
	try {
		const response = await fetch(request);
		if (response.ok) cache.put(address, response.clone());
		return response;
	} catch (error) {
		const kept = await cache.match(address);
		if (kept) return kept;
		throw error;
	}
}
