// <fourcast-board>: a position or a game of Connect Four on any site. It is a frame with the page
// embed.html of the site that this script comes from. A plain script, so that no site has to allow modules
// from another one.

{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const page = new URL("../../embed.html", script.src);
  const ATTRIBUTES = ["moves", "start", "size", "at", "controls", "link", "theme", "label"];
  const FIRST_HEIGHT = 420; // until the page has said how high it is

  class FourcastBoard extends HTMLElement {
    static observedAttributes = ATTRIBUTES;
    #frame = document.createElement("iframe");
    /** @param {MessageEvent} event */
    #listen = (event) => {
      if (event.source !== this.#frame.contentWindow || event.origin !== page.origin) return;
      const { fourcast: kind, height, title } = event.data ?? {};
      if (kind !== "look") return;
      if (height > 0 && height < 10_000) this.#frame.style.height = `${height}px`;
      if (!this.getAttribute("label")) this.#frame.title = String(title);
    };

    constructor() {
      super();
      Object.assign(this.#frame.style, { display: "block", width: "100%", border: "0" });
      this.#frame.style.height = `${FIRST_HEIGHT}px`;
      this.#frame.loading = "lazy";
      this.attachShadow({ mode: "open" }).append(this.#frame);
    }

    connectedCallback() {
      // What a style sheet of the site says counts more.
      this.style.display ||= "block";
      this.style.maxWidth ||= "28rem";
      window.addEventListener("message", this.#listen);
      this.#load();
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.#listen);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#load();
    }

    #load() {
      this.#frame.title = this.getAttribute("label") || "fourcast"; // until the page has said its name
      const address = new URL(page);
      for (const name of ATTRIBUTES) {
        const value = this.getAttribute(name);
        if (value !== null && name !== "label") address.searchParams.set(name, value);
      }
      if (this.#frame.src !== address.href) this.#frame.src = address.href;
    }
  }

  if (!customElements.get("fourcast-board")) customElements.define("fourcast-board", FourcastBoard);
}
