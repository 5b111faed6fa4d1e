// Requests to the server.

import { store } from "./store.js";

/** @import { Failure } from "./explanation_types.js" */

/**
 * Ask the server.
 * @template Answer
 * @param {string} path
 * @param {Record<string, string | number>} [query]
 * @returns {Promise<Answer | Failure>} the answer, or what went wrong
 */
export async function ask(path, query = {}) {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  try {
    const answer = await fetch(pairs.length ? `${path}?${pairs.join("&")}` : path);
    const text = await answer.text();
    return answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : { error: text };
  } catch {
    return { error: "The server does not answer." };
  }
}

/**
 * The request failed.
 * @param {object} answer
 * @returns {answer is Failure}
 */
export const failed = (answer) => "error" in answer;

/**
 * Post JSON with the page's key.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>} the answer; throws an Error with the server's reason
 */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Stream-NB": store.page?.csrf ?? "" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return answer.json();
  const text = await answer.text();
  let reason = text;
  try { reason = JSON.parse(text).error; } catch { /* plain text */ }
  throw new Error(reason);
}
