// The static site offline: its service worker, and the news that there is another version.

import { announce } from "./announce.js";
import { isSite } from "../backend/addresses.js";
import { button, html } from "../elements/dom.js";
import { t } from "../words/text.js";

/** Let the site work offline from the next visit on. */
export async function goOffline() {
  if (!isSite || !("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    watch(registration);
  } catch {
    // No HTTPS, or not wanted: then the site needs a connection.
  }
}

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  const look = () => {
    // Without one that is in charge this is the first visit, and there is nothing to update.
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  };
  look();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
}

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  if (document.querySelector(".update")) return;
  const text = t("update.news");
  const update = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload());
    waiting.postMessage("update");
  };
  const look = { class: "notice update", role: "status" };
  const act = button(t("update.use"), update, { kind: "small" });
  document.getElementById("main")?.before(html("p", look, `${text} `, act));
  announce(text);
}
