// What this page has; `./site` writes its own.
export const [SERVICE, SOLVER] = [true, false];
