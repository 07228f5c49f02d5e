// search.js behind a door: a board in, advice out, by number.
import { advise } from "./search.js";

onmessage = ({ data }) => postMessage({ id: data.id, advice: advise(data.board, data.budget_ms) });
