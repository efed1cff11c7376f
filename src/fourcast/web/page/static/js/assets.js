// Where the page's files lie. This folder is the only one whose modules ask where they are: a bundle lies in it, too.

/** The folder of what is made of what the library knows: texts, books, puzzles. */
export const DATA = new URL("../data/", import.meta.url);
/** The core that explains, a smaller one that plays, and one that plays by other rules. */
export const WASM = new URL("core/fourcast.wasm", import.meta.url);
export const PLAY_WASM = new URL("core/fourcast-play.wasm", import.meta.url);
export const RULES_WASM = new URL("core/fourcast-rules.wasm", import.meta.url);
/** What answers in the server's place. */
export const WORKER = new URL("worker.js", import.meta.url);
/** The style sheets of all pages but the start page, of the pages to get better with, and of rooms. */
export const STUDY_STYLES = new URL("../study.css", import.meta.url);
export const TRAINING_STYLES = new URL("../train.css", import.meta.url);
export const ROOM_STYLES = new URL("../room.css", import.meta.url);
