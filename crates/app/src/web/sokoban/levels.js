// The levels to choose from: the service's collection, these few when it cannot be reached, and the player's own.

import { get } from "../api.js";
import { keep, recall } from "../dom.js";

const BUILT_IN = [
  { title: "First push", xsb: "#######\n#     #\n# @$. #\n#     #\n#######", moves: 1, pushes: 1 },
  { title: "Around the corner", xsb: "########\n#   .  #\n#  $   #\n# @  # #\n#      #\n########" },
  { title: "Two rooms", xsb: "##########\n#   #    #\n# $   .  #\n# @ # .  #\n# $ #    #\n##########" },
  { title: "A crew of two", xsb: "#########\n#@ $   .#\n#   #   #\n#@ $   .#\n#########" },
];

/** All levels: `{ title, xsb, moves?, pushes?, players?, own? }`. The moves of a crew are steps of all at once. */
export async function collection() {
  const shipped = await get("levels").catch(() => []);
  const levels = shipped.map(({ steps, moves, ...level }) => ({ ...level, moves: steps ?? moves }));
  return [...(levels.length ? levels : BUILT_IN), ...recall("levels", [])];
}

/** Keeps levels as the player's own. */
export function adopt(levels) {
  const own = recall("levels", []).filter((old) => !levels.some((level) => level.xsb === old.xsb));
  keep("levels", [...own, ...levels.map((level) => ({ ...level, own: true }))].slice(-500));
}
