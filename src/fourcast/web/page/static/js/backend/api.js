// The way to the server: requests, and refusals in words.

import { ApiError } from "./api-error.js";
import { PAIRS, chosenColors } from "../words/names.js";
import { language, loadErrorTexts, t } from "../words/text.js";

/** @typedef {Record<string, string | number | null | undefined>} Query */

/** Whether a request was given up by the page itself. @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @param {string} path @param {RequestInit} options @param {"json" | "blob"} [kind] */
async function request(path, options, kind = "json") {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", cache: "no-store", ...options });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, t("error.unreachable"));
  }
  let body = null;
  try {
    body = await response[response.ok ? kind : "json"]();
  } catch (error) {
    if (isAbort(error)) throw error;
    if (response.ok) throw new ApiError(0, t("error.cut_short"));
  }
  if (response.ok) return body;
  const seconds = Number(response.headers.get("Retry-After"));
  if (body?.code) await loadErrorTexts();
  throw new ApiError(response.status, inWords(body, response.status), {
    code: body?.code,
    facts: body?.facts,
    retryAfter: seconds > 0 ? seconds : null,
    body,
  });
}

/** @param {{ detail?: unknown } | null} body @param {number} status */
function inWords(body, status) {
  if (typeof body?.detail === "string") return body.detail;
  return status >= 500 ? t("error.server") : t("error.refused", { status });
}

/** *path* with *query*; empty values are left out. @param {string} path @param {Query} query */
export function withQuery(path, query) {
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  const texts = pairs.map(([name, value]) => [name, String(value)]);
  return pairs.length ? `${path}?${new URLSearchParams(texts)}` : path;
}

/** The header of a secret. @param {string | null} [token] @returns {Record<string, string>} */
function bearer(token) {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/**
 * @param {string} path
 * @param {Query} [query]
 * @param {{ token?: string | null, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export function getJson(path, query = {}, { token, signal } = {}) {
  const lang = language === "en" ? "" : language;
  const pair = chosenColors().join("-");
  const colors = pair === PAIRS.yellow.join("-") ? "" : pair;
  return request(withQuery(path, { ...query, lang, colors }), { headers: bearer(token), signal });
}

/** @param {string} path @param {string | null} [token] @returns {Promise<Blob>} */
export function getFile(path, token) {
  return request(path, { headers: bearer(token) }, "blob");
}

/**
 * @param {string} path
 * @param {object} body
 * @param {{ token?: string | null, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export function postJson(path, body, { token = null, signal } = {}) {
  const headers = { "Content-Type": "application/json", ...bearer(token) };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}
