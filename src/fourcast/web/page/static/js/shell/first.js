// What the page was sent with, so that it need not ask for it: good for the first time.

const text = globalThis.document?.getElementById("first-answers")?.textContent;
/** @type {Map<string, any>} */
const answers = new Map(Object.entries(JSON.parse(text ?? "{}")));

/** The answer of that name, once. @param {string} name @returns {any} undefined if there is none */
export function takeFirst(name) {
  const answer = answers.get(name);
  answers.delete(name);
  return answer;
}
