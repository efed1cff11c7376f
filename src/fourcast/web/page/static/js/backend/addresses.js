// Where the pages are: paths on a server, queries on the static site, which may lie in any folder.

/** Whether this is the static site, which has no server behind it. */
export const isSite = globalThis.document?.documentElement.dataset.home === "site";

/** The pages that have nothing but a name. @typedef {"board" | "learn" | "puzzles" | "train" | "explore" | "games" | "help"} PageName */
/** @typedef {PageName extends infer Name ? Name extends string ? { name: Name } : never : never} Named */
/** @typedef {{ name: "game" | "room", id: string }} WithId */
/** @typedef {{ name: "start" | "missing" | "new-room" | "cup" } | Named | WithId} Page */

/** @type {PageName[]} */
const NAMED = ["board", "learn", "puzzles", "train", "explore", "games", "help"];

/** What the id of a game looks like. */
export const GAME_ID = /^[A-Za-z0-9_-]{10,32}$/;

export function startAddress() {
  return isSite ? "./" : "/";
}

/** @param {PageName} name @param {URLSearchParams} [query] */
export function pageAddress(name, query = new URLSearchParams()) {
  return isSite
    ? withText("./", new URLSearchParams([["page", name], ...query]))
    : withText(`/${name}`, query);
}

/** @param {string} id @param {URLSearchParams} [query] */
export function gamePage(id, query = new URLSearchParams()) {
  return isSite
    ? withText("./", new URLSearchParams([["game", id], ...query]))
    : withText(`/game/${id}`, query);
}

/** A room, which only a server has; without an id, where one is opened.
 * @param {string} [id] @param {URLSearchParams} [query] */
export function roomAddress(id, query = new URLSearchParams()) {
  return withText(id ? `/room/${id}` : "/room", query);
}

/** @param {string} path @param {URLSearchParams} query */
function withText(path, query) {
  // Slashes may stand in a query as they are, and read better.
  const text = query.toString().replaceAll("%2F", "/");
  return text ? `${path}?${text}` : path;
}

/** The page of an address. @param {{ pathname: string, search: string }} location @returns {Page} */
export function pageOf({ pathname, search }) {
  if (!isSite) return pageOfPath(pathname);
  // All pages of the site have one path. A host sends the same file for any address that it does not know.
  return /(\/|\/index\.html)$/.test(pathname)
    ? pageOfQuery(new URLSearchParams(search))
    : { name: "missing" };
}

/** @param {URLSearchParams} query @returns {Page} */
function pageOfQuery(query) {
  const id = query.get("game");
  if (id !== null) return GAME_ID.test(id) ? { name: "game", id } : { name: "missing" };
  const page = query.get("page") ?? "start";
  return page === "start" ? { name: "start" } : named(page);
}

/** @param {string} pathname @returns {Page} */
function pageOfPath(pathname) {
  const path = pathname.replace(/(?<=.)\/+$/, ""); // a slash too many does no harm
  const [, name, id] = /^\/(game|room)\/([^/]+)$/.exec(path) ?? [];
  if (id && GAME_ID.test(id)) return { name: name === "game" ? "game" : "room", id };
  if (path === "/room") return { name: "new-room" };
  if (path === "/cup") return { name: "cup" };
  return path === "/" ? { name: "start" } : named(path.slice(1));
}

/** @param {string} text @returns {Page} */
function named(text) {
  return /** @type {Page} */ ({ name: NAMED.find((name) => name === text) ?? "missing" });
}
