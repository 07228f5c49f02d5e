// Runs search.js: a board in, advice out, in order.
import { advise } from "./search.js";

onmessage = ({ data }) => postMessage(advise(data.board, data.budget_ms));
