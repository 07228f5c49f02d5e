// What is known of the optimum from a board: by the service, or by the worker when that is out of reach.
//
// A plan tells of every board on its way: if it is optimal, so is each rest of it. All of them are kept, so
// that whoever follows a plan asks only once, and a plan that is not proven is followed to its end rather
// than given up for another one at each step.

import { post } from "../api.js";
import { format, isGoal, slide } from "./board.js";

const known = new Map();
let worker = null;
let asked = 0;
const waiting = new Map();

/** What is known already: `{ lower, upper, plan, proven }` or undefined. */
export const recallAdvice = (b) => (isGoal(b) ? { lower: 0, upper: 0, plan: "", proven: true } : known.get(format(b)));

/** The best advice within less than two seconds. Gives up without an answer when aborted. */
export async function advise(b, signal) {
  const before = recallAdvice(b);
  if (before && (before.proven || before.plan)) return before;
  let advice;
  try {
    const hint = await post("hint", { puzzle: format(b), time_limit_s: 1.5 }, signal);
    if (hint.reason) throw new Error(hint.reason);
    advice = { lower: hint.lower, upper: hint.upper ?? null, plan: hint.plan ?? null, proven: hint.proven };
  } catch (error) {
    // 0: not reached; 429 and 503: too much to do there; a 502 or so comes from what stands between.
    if (error.name === "AbortError" || !(error.status === 0 || error.status === 429 || error.status >= 500)) throw error;
    advice = await locally(b);
  }
  if (signal?.aborted) throw new DOMException("too late", "AbortError");
  learn(b, advice);
  return recallAdvice(b) ?? advice;
}

/** Keeps a plan, and what it says of every board on its way. */
export function learn(b, { lower, upper, plan, proven }) {
  if (known.size > 50000) known.clear();
  if (plan == null) {
    known.set(format(b), { lower, upper, plan, proven });
    return;
  }
  for (let i = 0, at = b; i < plan.length; at = slide(at, plan[i++])) {
    const rest = { lower: Math.max(0, lower - i), upper: upper - i, plan: plan.slice(i), proven };
    const old = known.get(format(at));
    if (old && (old.proven || (old.plan != null && old.upper <= rest.upper)) && !proven) break;
    known.set(format(at), rest);
  }
}

function locally(b) {
  if (!worker) {
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      waiting.get(data.id)?.(data.advice);
      waiting.delete(data.id);
    };
  }
  const id = ++asked;
  worker.postMessage({ id, board: b, budget_ms: 900 });
  return new Promise((resolve) => waiting.set(id, resolve));
}
