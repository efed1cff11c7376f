// Runs before the first paint, so that the chosen theme, colors and language do not flash in after others.
{
  const root = document.documentElement;
  /** @param {string} name */
  const kept = (name) => {
    try {
      return JSON.parse(localStorage.getItem(`fourcast.${name}`) ?? "null");
    } catch {
      return null; // nothing is kept, or not what the page has written
    }
  };
  const theme = kept("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const colors = kept("colors");
  if (colors === "blue") root.dataset.colors = "blue";
  const isOwn = Array.isArray(colors) && colors.length === 2;
  if (isOwn) [root.dataset.first, root.dataset.second] = colors.map(String);

  const there = (root.dataset.languages ?? "").split(" ");
  const wanted = [kept("language"), ...navigator.languages].map((each) => String(each).split("-")[0]);
  root.lang = wanted.find((each) => there.includes(each)) ?? "en";
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  /** @param {string} path @param {object} look */
  const load = (path, look) => {
    const link = Object.assign(document.createElement("link"), look);
    link.href = new URL(`../${path}`, src).href;
    document.head.append(link);
  };
  const isFramed = root.classList.contains("embed"); // a board on another site
  const isFirst =
    root.dataset.home === "site" ? !/[?&](page|game)=/.test(location.search) : location.pathname === "/";
  const isStart = isFirst && !isFramed;
  root.dataset.page = isStart ? "start" : "study";
  // The texts are on their way while the modules are, unless they came with the page.
  const texts = { rel: "preload", as: "fetch", crossOrigin: "anonymous" };
  if (root.dataset.sentText !== root.lang) load(`data/text-${root.lang}.json`, texts);
  if (!isStart) load(`data/text-study-${root.lang}.json`, texts);
  // What goes over the page's own style sheet is added by `main.js`. All pages but the start page have
  // something to study.
  const late = { rel: "preload", as: "style", className: "late" };
  if (!isStart && !isFramed) {
    load("study.css", late);
    load("js/pages.js", { rel: "modulepreload" });
  }
  if (isOwn) load("colors.css", late);
}
