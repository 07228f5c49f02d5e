// Server-sent events of a response, as `{ event, data }` with data from JSON. The browser's own reader of events,
// EventSource, cannot send the token.

// The service sends at least a comment every ten seconds, so a connection that is silent for longer is dead.
const SILENCE_MS = 30000;

export async function* events(body) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	try {
		for (;;) {
			const watchdog = setTimeout(() => reader.cancel().catch(() => {}), SILENCE_MS);
			const { value, done } = await reader.read().finally(() => clearTimeout(watchdog));
			if (done) return;
			text += value;
			const blocks = text.split("\n\n");
			text = blocks.pop(); // not complete yet
			for (const block of blocks) {
				const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
				if (field("data")) yield { event: field("event"), data: JSON.parse(field("data")) };
			}
		}
	} finally {
		reader.cancel().catch(() => {});
	}
}
