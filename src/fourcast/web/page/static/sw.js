/* global FILES, VERSION */
// The service worker of the static site: all files are there after one visit, and the page works offline.
// `fourcast site` writes VERSION, which changes with any file, and FILES in front of this.
//
// Files of one version stay together: those of a new one are loaded beside them, and are used when the
// page asks for it or when no page of the old one is open any more.

const NAME = `fourcast-${VERSION}`;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("fourcast-") && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("message", ({ data }) => {
  if (data === "update") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const scope = new URL("./", self.location.href).pathname;
  const path = new URL(request.url).pathname.slice(scope.length);
  // The map of the opening is opened by itself; any other address is a page's.
  const isPage = request.mode === "navigate" && !path.endsWith(".svg");
  if (isPage && !["", "index.html", "embed.html"].includes(path)) {
    // No such page, which the page itself says best; in a folder further down it would not find its files.
    return Response.redirect(`${scope}?page=${encodeURIComponent(path)}`);
  }
  const page = path === "embed.html" ? path : "./";
  const kept = await cache.match(isPage ? page : request, { ignoreSearch: isPage });
  if (kept) return kept;
  const response = await fetch(request);
  // The larger book and the map are not loaded by everybody.
  if (response.ok && /\.(book|svg)$/.test(request.url)) await cache.put(request, response.clone());
  return response;
}
