// The files of puzzles and of repertoires that come with fourcast, loaded when they are first asked for.

import { DATA } from "../assets.js";

/** @typedef {"first" | "second"} Player */

/** The sizes of the boards that there are puzzles for. */
export const SIZES = [
  { width: 7, height: 6 },
  { width: 6, height: 5 },
  { width: 8, height: 7 },
];

/** @type {Map<string, Promise<string>>} */
const loaded = new Map();

/** The text of a file; what could not be loaded is tried again. Besides puzzles there are `first.repertoire` and
 * `second.repertoire`, the certificates, and what levels 1 to 10 play in openings. @param {string} name */
export function textOf(name) {
  const promise = loaded.get(name) ?? loadText(name);
  loaded.set(name, promise);
  promise.catch(() => loaded.delete(name));
  return promise;
}

/** The puzzles for a board. @param {Size} size */
export function puzzleText({ width, height }) {
  return textOf(`${width}x${height}.puzzles`);
}

/** The puzzles of earlier versions, which are not asked any more. @param {Size} size */
export function retiredText({ width, height }) {
  return textOf(`${width}x${height}.retired`);
}

/** The text of a file, which is packed by gzip unless whoever sent it has unpacked it. @param {string} name */
async function loadText(name) {
  const response = await fetch(new URL(name, DATA));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return unpacked(new Uint8Array(await response.arrayBuffer()));
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export async function unpacked(bytes) {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const source = new Blob([bytes]).stream();
  return new Response(isPacked ? source.pipeThrough(new DecompressionStream("gzip")) : source).text();
}
