import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

const isObject = (value) => typeof value === "object" && value !== null;

/** The innermost place where two values differ. */
function difference(found, wanted, path = "") {
  if (!isObject(found) || !isObject(wanted)) return { path, found, wanted };
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const name = [...names].find((each) => !isDeepStrictEqual(found[each], wanted[each]));
  return name === undefined
    ? { path, found, wanted }
    : difference(found[name], wanted[name], `${path}.${name}`);
}

/**
 * Compare large answers. (For its message `assert.deepEqual` writes both in lines and looks for the shortest
 * way from one to the other: of a review, that took 22 GB.)
 */
export function assertSame(found, wanted, what) {
  if (isDeepStrictEqual(found, wanted)) return;
  const { path, ...both } = difference(found, wanted);
  const [here, there] = [both.found, both.wanted].map((value) => JSON.stringify(value)?.slice(0, 500));
  assert.fail(`${what}: ${path || "the answer"} is ${here}, not ${there}`);
}
