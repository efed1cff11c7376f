// The compiled core (native/wasm/core.cpp): its functions, with texts and answers as JavaScript has them.

import { CoreError, wrongType } from "./errors.js";

/** @typedef {import("./types.js").Source} Source */

const NO_FILE = 8;

/** The part of WASI that the core asks for: a clock. It has neither files nor an environment. */
class System {
  /** @type {WebAssembly.Memory | null} */
  memory = null;

  /** @param {number} at @param {number} number */
  #put(at, number) {
    new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer).setUint32(at, number, true);
    return 0;
  }

  imports = {
    environ_get: () => 0,
    environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) =>
      this.#put(count, 0) + this.#put(size, 0),
    clock_time_get: (/** @type {number} */ _, /** @type {bigint} */ __, /** @type {number} */ at) => {
      const ns = BigInt(Math.round(performance.now() * 1e6));
      return this.#put(at, Number(ns & 0xffffffffn)) + this.#put(at + 4, Number(ns >> 32n));
    },
    fd_close: () => NO_FILE,
    fd_seek: () => NO_FILE,
    fd_write: () => NO_FILE,
    proc_exit: (/** @type {number} */ code) => {
      throw new Error(`the core has ended itself (${code})`);
    },
  };
}

/** Bytes of a file, where `fetch` does not read files. @param {URL} url @returns {Promise<Uint8Array>} */
async function readFile(url) {
  const name = "node:fs/promises"; // not a literal: the page has no such module
  const files = await import(name);
  return files.readFile(url);
}

/** @param {Source} source @returns {Promise<WebAssembly.Module>} */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
    return WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (source));
  }
  if (source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url} was answered with status ${source.status}`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  if (typeof source !== "string" && !(source instanceof URL)) {
    throw wrongType("source", "bytes, an address, a Response or a WebAssembly.Module", source);
  }
  const url = new URL(source, globalThis.location?.href ?? import.meta.url);
  return compile(url.protocol === "file:" ? await readFile(url) : await fetch(url));
}

/** One instance of the core, with its table and its books. */
export class Machine {
  /** @type {Record<string, (...numbers: (number | boolean)[]) => number>} */
  #functions;
  /** @type {WebAssembly.Memory} */
  #memory;
  /** What made it unusable. @type {Error | null} */
  #failure = null;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const system = new System();
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system.imports });
    this.#functions = /** @type {any} */ (instance.exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    system.memory = this.#memory;
    this.run("_initialize");
  }

  /** The answer of a function. @param {string} name @param {...(number | boolean)} numbers @returns {any} */
  call(name, ...numbers) {
    if (this.run(name, ...numbers)) return this.#answer();
    throw this.#refusal();
  }

  /** Hand over a start (0), moves (1) or a question (2). @param {0 | 1 | 2} which @param {string} text */
  putText(which, text) {
    const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const at = this.run("text", which, characters.length);
    if (at === 0) throw this.#refusal();
    new Uint32Array(this.#memory.buffer, at, characters.length).set(characters);
  }

  /** Hand over a book. @param {ArrayBuffer | Uint8Array} bytes */
  putBook(bytes) {
    const at = this.run("book_memory", bytes.byteLength);
    if (at === 0) throw this.#refusal();
    new Uint8Array(this.#memory.buffer, at).set(new Uint8Array(bytes));
  }

  /** @param {string} reason */
  close(reason) {
    this.#failure ??= new Error(reason);
    this.#functions = {};
  }

  /** What a function returns itself. @param {string} name @param {...(number | boolean)} numbers */
  run(name, ...numbers) {
    if (this.#failure) throw this.#failure;
    try {
      return this.#functions[name](...numbers);
    } catch (error) {
      // It was left in the middle of something: nothing it says can be relied on any more.
      this.close(`the core has failed (${error}); load it again`);
      throw this.#failure;
    }
  }

  #answer() {
    const bytes = new Uint8Array(
      this.#memory.buffer,
      this.#functions.answer(),
      this.#functions.answer_size(),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  #refusal() {
    const { name, code, facts, ...data } = this.#answer();
    return new CoreError(name, code, facts, data);
  }
}
