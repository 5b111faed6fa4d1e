// Requests to the server.

import { nextChange, store } from "./store.js";

/** @import { Failure } from "./answer_types.d.ts" */
/** @import { PageState } from "./page_types.d.ts" */

export const NO_ANSWER = "The dashboard does not answer.";
const LOG_SILENT = 503; // status of a server whose log does not answer
const REFUSED = 403;
const BUG = 500;
const AGAIN_MS = 2_000;

/**
 * Send a GET request to the server.
 * @template Answer
 * @param {string} path
 * @param {Record<string, string | number>} [query]
 * @param {number} [patienceMs] how long to wait for the beginning of the answer; 0: as long as the browser does
 * @returns {Promise<Answer | Failure>} the answer, or what went wrong
 */
export async function ask(path, query = {}, patienceMs = 0) {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { status, value } = await send(pairs.length ? `${path}?${pairs.join("&")}` : path, {}, patienceMs);
  return status === LOG_SILENT ? { ...value, passing: true } : value;
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @param {number} [patienceMs]
 * @returns {Promise<{status: number, value: any}>} `value` is the answer, or what went wrong; without an answer, `status` is 0
 */
async function send(path, init, patienceMs = 0) {
  const done = begin();
  const limit = new AbortController();
  const timer = patienceMs ? setTimeout(() => limit.abort(), patienceMs) : 0;
  try {
    const answer = await fetch(path, { ...init, signal: limit.signal });
    clearTimeout(timer);
    const text = await answer.text();
    if (isOwn(answer)) return { status: answer.status, value: isJson(answer) ? parse(text) : { error: text } };
  } catch { /* no answer */ } finally {
    done();
  }
  return { status: 0, value: { error: NO_ANSWER, passing: true } };
}

/** @param {Response} answer */
const isJson = ({ headers }) => headers.get("content-type") === "application/json";

/**
 * Whether the dashboard sent this answer: a proxy in front of one that is down answers with a page of its own.
 * @param {Response} answer
 */
const isOwn = (answer) => isJson(answer)
  || (answer.status <= BUG && Boolean(answer.headers.get("content-type")?.startsWith("text/plain")));

/**
 * Parse JSON into objects without a prototype, because classes and sources are keys and may be named "constructor".
 * @param {string} text
 */
export const parse = (text) => bare(JSON.parse(text));

/** @param {any} value */
function bare(value) {
  if (value === null || typeof value !== "object") return value;
  for (const inner of Object.values(value)) bare(inner);
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null);
}

const BUSY_MS = 200;
let waiting = 0;

/**
 * Register a request; the page is shown as busy while a request takes longer than `BUSY_MS`.
 * @returns {() => void} to be called at the end
 */
function begin() {
  let busy = false;
  const timer = setTimeout(() => { busy = true; showBusy(1); }, BUSY_MS);
  return () => { clearTimeout(timer); if (busy) showBusy(-1); };
}

/** @param {number} more */
function showBusy(more) {
  waiting += more;
  document.body.classList.toggle("busy", waiting > 0);
}

/**
 * Whether the request failed.
 * @param {object} answer
 * @returns {answer is Failure}
 */
export const failed = (answer) => "error" in answer;

/**
 * Whether the request failed because dashboard or log did not answer.
 * @param {object} answer
 */
export const isLost = (answer) => failed(answer) && Boolean(answer.passing);

/**
 * If an answer is lost, call `again` when the dashboard sends something again.
 * @param {object} answer
 * @param {() => void} again
 */
export async function retryLater(answer, again) {
  if (!isLost(answer)) return;
  await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
  await nextChange();
  again();
}

/** Reload the page state: a restarted server has another CSRF value. */
export async function refreshPage() {
  /** @type {PageState | Failure} */
  const page = await ask("api/page");
  if (!failed(page)) store.page = page;
}

/**
 * Post JSON with the page's CSRF value; once more if a restarted server has refused the value of its predecessor.
 * @template Answer
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer | Failure>} the answer, or what went wrong
 */
export async function post(path, body) {
  const given = csrf();
  let { status, value } = await send(path, posting(body));
  if (status === REFUSED) {
    await refreshPage();
    if (csrf() !== given) ({ status, value } = await send(path, posting(body)));
  }
  return status ? value : { error: "the dashboard does not answer; try again when it does" };
}

const csrf = () => store.page?.csrf ?? "";

/** @param {object} body */
const posting = (body) =>
  ({ method: "POST", headers: { "Content-Type": "application/json", "X-Stream-NB": csrf() }, body: JSON.stringify(body) });
