// Where the page's files lie. This folder is the only one whose modules ask where they are: a bundle lies in it, too.

/** The folder of what is made of what the library knows: texts, books, puzzles. */
export const DATA = new URL("../data/", import.meta.url);
/** The core that explains, and a smaller one that plays. */
export const WASM = new URL("core/fourcast.wasm", import.meta.url);
export const PLAY_WASM = new URL("core/fourcast-play.wasm", import.meta.url);
/** What answers in the server's place. */
export const WORKER = new URL("worker.js", import.meta.url);
/** The style sheet of the pages to get better with. */
export const TRAINING_STYLES = new URL("../train.css", import.meta.url);
