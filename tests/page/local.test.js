import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load } from "../../src/fourcast/web/page/static/js/core/index.js";
import { Routes } from "../../src/fourcast/web/page/static/js/local/routes.js";
import { assertSame } from "./same.js";

const recorded = JSON.parse(readFileSync("tests/fixtures/page-answers.json", "utf8"));
const read = (name) => JSON.parse(readFileSync(`build/page/${name}.json`, "utf8"));
const core = await load();
const data = read("data");
/** What the page answers in a language. */
const routesIn = (language, names = language === "de" ? ["Rot", "Gelb"] : ["Red", "Yellow"]) =>
  new Routes(core, { ...data, language, names, messages: read(`sentences-${language}`) });
const spoken = { de: routesIn("de"), en: routesIn("en") };

/** An answer without what it took. */
function lasting(view) {
  if (Array.isArray(view)) return view.map(lasting);
  if (typeof view !== "object" || view === null) return view;
  const kept = Object.entries(view).filter(([name]) => name !== "nodes" && name !== "time_s");
  return Object.fromEntries(kept.map(([name, value]) => [name, lasting(value)]));
}

for (const kind of new Set(recorded.map(({ method, path }) => `${method} ${path}`))) {
  test(`the page answers itself as the server does: ${kind}`, async () => {
    for (const { method, path, query, status, answer } of recorded) {
      if (`${method} ${path}` !== kind) continue;
      const what = JSON.stringify(query);
      const routes = spoken[query.lang ?? "en"];
      if (status === 200) {
        assertSame(lasting(await routes.answer(method, path, query)), answer, what);
      } else {
        const refused = { status, code: answer.code, facts: answer.facts };
        await assert.rejects(routes.answer(method, path, query), refused, what);
      }
    }
  });
}

test("every player chooses an open column, and the levels take a win at once from the third on", async () => {
  const place = { moves: "112233" };
  // The player "proof" asks the whole core for its certificates: tests/browser/test_proof.py plays against it.
  for (const { name } of data.players.filter((each) => each.name !== "proof")) {
    const column = await spoken.en.answer("GET", "/local/choice", { ...place, player: name });
    const isSure = !["random", "level-1", "level-2"].includes(name);
    assert.ok(isSure ? column === 3 : column >= 0 && column < 7, `${name}: ${column}`);
  }
});

test("sentences name the sides by the colors that the page has", async () => {
  const routes = routesIn("en", ["Green", "Pink"]);
  const { text } = await routes.answer("GET", "/api/explain", { moves: "1464254565524477466" });
  assert.match(text, /Pink|Green/);
  assert.doesNotMatch(text, /Red|Yellow/);
});
