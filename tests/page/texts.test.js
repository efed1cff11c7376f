// Words for people are in the catalogue: no other string of the page looks like some, and none is left over.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import ts from "typescript";

import { Catalogue } from "../../src/fourcast/web/page/static/js/words/patterns.js";

const FOLDER = "src/fourcast/web/page/static/js/";
const TEXTS = ["page", "train"].map((name) => `src/fourcast/messages/${name}/en.json`);
// The core's refusals, and those of what answers in the server's place: the server's, word by word. And the
// names of goals and themes in files of puzzles.
const OTHERS = /^(core|local)\/|^train\/puzzle\.js$/;
// Arguments of these are no words: keys, errors for developers, selectors, names of events.
const CALLS =
  /^(t|say|rich|hasText|Error|TypeError|RangeError|warn|querySelector|querySelectorAll|closest|matches|isWithin|addEventListener|import|get|set|getItem|svg|RegExp|URL|matchMedia)$/;
const LOOKS = /^(class|kind|d|viewBox|transform|accept|role|type|easing|transform-origin)$/;
const NAMES =
  /^(Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Escape|Enter|AbortError|ApiError|Content-Type|Retry-After|Bearer )$/;

// A class, words of game files, a selector, the first lines of files, a command.
const KNOWN = [
  '{"format":',
  "fourcast repertoire 1",
  "fourcast train --import",
  "button icon-only",
  "four in a row",
  "full board",
  "input, textarea, select, dialog",
];

const files = readdirSync(FOLDER, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".js") && !OTHERS.test(name));

/** Whether a string looks like words for people: several of them, or one with a capital letter. */
function looksLikeWords(text) {
  if (NAMES.test(text) || KNOWN.some((known) => text.startsWith(known))) return false;
  return /[A-Za-z’]{2,}[,.:;]? [a-z]{2,}/i.test(text) || /^[A-Z][a-z]{2,}/.test(text.trim());
}

function nameOf(expression) {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : expression.getText();
}

/** Whether *node* is a part of something that nobody reads. */
function isUnseen(node) {
  for (let each = node; each.parent; each = each.parent) {
    const { parent } = each;
    if (ts.isImportDeclaration(parent) || ts.isBinaryExpression(parent)) {
      const sign = parent.operatorToken?.getText();
      if (!sign || sign.startsWith("==") || sign.startsWith("!=")) return true;
    }
    const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
    if (isCall && parent.expression !== each && CALLS.test(nameOf(parent.expression))) return true;
    const key = ts.isPropertyAssignment(parent) && parent.name;
    if (key && (key === each || LOOKS.test(key.getText().replaceAll('"', "")))) return true;
    if (isCall || ts.isStatement(parent)) return false;
  }
  return false;
}

function wordsIn(name) {
  const text = readFileSync(FOLDER + name, "utf8");
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node);
    const isLast = ts.isTemplateTail(node);
    if ((isText || isLast) && looksLikeWords(node.text) && !isUnseen(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no words for people stand in the modules of the page", () => {
  assert.ok(files.length > 40);
  assert.deepEqual(files.flatMap(wordsIn), []);
});

test("every text of the catalogue is used", () => {
  const page = ["../index.html", ...files, "local/games.js", "local/local-game.js", "local/files.js"];
  const said = readdirSync("native/study").map((name) => `native/study/${name}`); // what the core says
  const code = [...page.map((name) => FOLDER + name), ...said]
    .map((name) => readFileSync(name, "utf8"))
    .join("\n");
  // Keys that are put together when the page runs: `offer.${kind}`.
  const made = [...code.matchAll(/`([a-z]+\.[\w.${}()-]*)`/g)].map(
    ([, key]) =>
      new RegExp(`^${key.replaceAll(".", "\\.").replaceAll(/\$\{\w+(\([^)]*\))?\}/g, "[\\w-]+")}$`),
  );
  const keys = TEXTS.flatMap((name) => Object.keys(JSON.parse(readFileSync(name, "utf8"))));
  const unused = keys.filter(
    (key) => !code.includes(`"${key}"`) && !made.some((each) => each.test(key)),
  );
  assert.deepEqual(unused, []);
});

test("the start page needs no texts but those that are loaded with it", () => {
  const early = Object.keys(JSON.parse(readFileSync("build/page/text-en.json", "utf8")));
  const groups = new Set(early.map((key) => key.split(".")[0]));
  const reached = new Set([
    "main.js",
    "shell/start-page.js",
    "shell/settings.js",
    "shell/keys.js",
    "local/games.js",
  ]);
  const used = [];
  for (const name of reached) {
    const code = readFileSync(FOLDER + name, "utf8");
    for (const [, path] of code.matchAll(
      /^(?:import|\} from) [^"]*"(\.[^"]*)"|^\} from "(\.[^"]*)"/gm,
    )) {
      if (path) reached.add(new URL(path, `file:///${name}`).pathname.slice(1));
    }
    const keys = code.matchAll(/\b(?:t|rich)\(\s*[^"`)]*["`]([a-z]+)\./g);
    for (const [, group] of keys) used.push([name, group]);
  }
  assert.ok(reached.size > 25 && used.length > 60, `${reached.size} modules, ${used.length} texts`);
  assert.deepEqual(
    used.filter(([, group]) => !groups.has(group)),
    [],
  );
});

test("of texts for numbers the one of the language is taken", () => {
  const patterns = { discs: { one: "{count} Scheibe", other: "{count} Scheiben" }, no: "{a} und {b}" };
  const { say, has } = new Catalogue(patterns, "de");
  assert.deepEqual(
    [0, 1, 2, 21].map((count) => say("discs", { count })),
    ["0 Scheiben", "1 Scheibe", "2 Scheiben", "21 Scheiben"],
  );
  assert.equal(say("no", { a: "{b}", b: 2 }), "{b} und 2"); // what is filled in is not filled again
  const polish = new Catalogue({ discs: { one: "dysk", few: "dyski", other: "dysków" } }, "pl");
  assert.deepEqual(
    [1, 3, 5, 22].map((count) => polish.say("discs", { count })),
    ["dysk", "dyski", "dysków", "dyski"],
  );
  assert.equal(typeof has, "function");
});

test("Python takes the same text for a number as the page", () => {
  const rules = JSON.parse(readFileSync("build/page/plurals.json", "utf8"));
  assert.deepEqual(Object.keys(rules), ["de", "en"]);
  for (const [language, categories] of Object.entries(rules)) {
    const plurals = new Intl.PluralRules(language);
    categories.forEach((category, count) => assert.equal(category, plurals.select(count), language));
  }
});
