// What this copy of the page has: the service, the solver as WebAssembly, or both. The script `site` writes its own copy.

export const SERVICE = true;
export const SOLVER = false;
