// Answers requests as the worker of the page does: one JSON object a line comes in, one goes out.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { load } from "../../src/fourcast/web/page/static/js/core/index.js";
import { Routes } from "../../src/fourcast/web/page/static/js/local/routes.js";

const read = (name) => JSON.parse(readFileSync(`build/page/${name}.json`, "utf8"));
const messages = read("sentences-en");
const routes = new Routes(await load(), {
  ...read("data"),
  language: "en",
  messages,
  names: ["Red", "Yellow"],
});

for await (const line of createInterface({ input: process.stdin })) {
  const { method, path, query } = JSON.parse(line);
  const answer = await routes.answer(method, path, query).then(
    (value) => ({ status: 200, answer: value }),
    ({ status, detail, code, facts }) => ({ status, answer: { detail, code, facts } }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
