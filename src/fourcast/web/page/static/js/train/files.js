// Files that come with these pages, packed by gzip unless whoever sent them has unpacked them.

import { DATA } from "../assets.js";

/** The text of a file. @param {string} name */
export async function loadText(name) {
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
