// The core of fourcast in JavaScript: docs/wasm.md says how to use it.

export { loadInWorker } from "./client.js";
export { PLAY_WASM, RULES_WASM, WASM, load } from "./core.js";
export { CoreError } from "./errors.js";
