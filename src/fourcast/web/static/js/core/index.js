// The core of fourcast in JavaScript: docs/wasm.md says how to use it.

export { loadInWorker } from "./client.js";
export { WASM, load } from "./core.js";
export { CoreError } from "./errors.js";
