import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

import "./browser.js";
import { ApiError } from "../../src/fourcast/web/page/static/js/backend/api-error.js";
import {
  getJson,
  isAbort,
  postJson,
  withQuery,
} from "../../src/fourcast/web/page/static/js/backend/api.js";

afterEach(() => mock.restoreAll());

const answer = (make) => mock.method(globalThis, "fetch", async () => make());

test("a query leaves out what is empty", () => {
  assert.equal(withQuery("/api/x", {}), "/api/x");
  assert.equal(withQuery("/api/x", { a: "", b: null, c: undefined, d: 0 }), "/api/x?d=0");
  assert.equal(withQuery("/api/x", { name: "A & B" }), "/api/x?name=A+%26+B");
});

test("a token goes into the header, and nowhere else", async () => {
  const sent = answer(() => Response.json({}));
  await postJson("/api/x", { column: 3 }, { token: "secret" });
  const [path, { headers, body, credentials }] = sent.mock.calls[0].arguments;
  assert.equal(path, "/api/x");
  assert.equal(headers.Authorization, "Bearer secret");
  assert.equal(body, '{"column":3}');
  assert.equal(credentials, "omit");
});

test("a refusal carries the server's sentence and when to try again", async () => {
  answer(() => Response.json({ detail: "busy" }, { status: 503, headers: { "Retry-After": "7" } }));
  await assert.rejects(getJson("/api/x"), {
    status: 503,
    detail: "busy",
    retryAfter: 7,
    isPassing: true,
  });
  answer(() => new Response("<html>", { status: 404 }));
  await assert.rejects(getJson("/api/x"), {
    status: 404,
    detail: "The request was refused (404).",
    isPassing: false,
  });
  answer(() => new Response("", { status: 500 }));
  await assert.rejects(getJson("/api/x"), { detail: "The server has a problem; please try again." });
});

test("a server that cannot be reached, or stops in the middle, has status 0", async () => {
  answer(() => {
    throw new TypeError("failed");
  });
  await assert.rejects(getJson("/api/x"), { status: 0, detail: "The server cannot be reached." });
  answer(() => new Response('{"half'));
  await assert.rejects(getJson("/api/x"), { status: 0, detail: "The server's answer was cut short." });
});

test("a request that the page gave up is no failure of the server's", async () => {
  answer(() => {
    throw new DOMException("gone", "AbortError");
  });
  await assert.rejects(getJson("/api/x"), (error) => isAbort(error) && !(error instanceof ApiError));
});
