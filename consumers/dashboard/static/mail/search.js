// Mails older than those in the list: the server searches all that it remembers.

import { ask, failed, retryLater } from "../api.js";
import { byId } from "../dom.js";
import { count, plural } from "../format.js";
import { placeKey, store } from "../store.js";

/** @import { Failure, SearchResult } from "../answer_types.d.ts" */
/** @import { MailRow } from "../types.d.ts" */
/** @import { Filter } from "./filter.js" */

const WAIT_MS = 300; // pause after typing
const AGAIN_MS = 1_000;
const MOST_AGAIN = 60;
/** @type {Map<string, MailRow>} by place, found by the current search; a row that is also in the store is newer there */
const found = new Map();
/** @type {Map<string, MailRow>} by place, fetched one by one */
const fetched = new Map();
/** @type {Record<string, string> | null} the search on the server; null: none, the list has everything */
let query = null;
/** Number of matching mails in the server's last answer. */
let fitting = 0;
/** How many of them the server has sent, the newest first; one may come again after newer mails have moved it down. */
let sent = 0;
let timer = 0;
let newest = 0;
let redraw = () => {};

/** @param {() => void} draw called when mails were found, and when there are no more */
export function startSearch(draw) {
  redraw = draw;
}

/** All mails that the page knows: those of the list, and older ones. */
export const knownMails = () => new Map([...found, ...fetched, ...store.mails]);

/**
 * The mail at a place, if the page knows it.
 * @param {string} key
 */
export const knownMail = (key) => store.mails.get(key) ?? fetched.get(key) ?? found.get(key);

/**
 * Whether the server found the mail in the current search.
 * @param {string} key its place
 */
export const isFound = (key) => found.has(key);

/** Whether the server has more matching mails. */
export const findsMore = () => sent < fitting;

/**
 * Search on the server for a filter's mails, if some may be older than the list.
 * @param {Filter} filter
 */
export function searchFor(filter) {
  newest++;
  clearTimeout(timer);
  found.clear();
  fitting = sent = 0;
  query = queryOf(filter);
  byId("found").hidden = !query;
  if (!query) return;
  byId("found").textContent = "Searching older mail…";
  timer = setTimeout(findMore, WAIT_MS);
}

/**
 * Search again after another log has replaced that of the mails known so far.
 * @param {Filter} filter
 */
export function searchAnew(filter) {
  fetched.clear();
  searchFor(filter);
}

/**
 * Fetch the next matching mails from the server.
 * @returns {Promise<boolean>} whether they have arrived
 */
export async function findMore() {
  const number = newest;
  const skip = sent;
  const before = knownMails();
  /** @type {SearchResult | Failure} */
  const answer = await ask("api/search", { ...query, skip });
  if (number !== newest) return false;
  if (failed(answer)) {
    byId("found").textContent = `Older mail was not searched: ${answer.error}`;
    retryLater(answer, () => { if (number === newest) findMore(); });
    return false;
  }
  for (const row of answer.rows) {
    const key = placeKey(row.place);
    const isNewest = knownMail(key) === before.get(key); // no other row came meanwhile
    found.set(key, row);
    if (isNewest && (store.mails.has(key) || fetched.has(key))) keep(key, row);
  }
  sent = skip + answer.rows.length;
  fitting = answer.rows.length ? answer.found : sent;
  byId("found").textContent = `Found ${count(answer.found)} of ${plural(answer.remembered, "mail")} remembered.`;
  redraw();
  return true;
}

/**
 * The query for the server. The server does not know which mails were drawn for the audit; unlabelled mails near the
 * threshold have a page of their own.
 * @param {Filter} filter
 * @returns {Record<string, string> | null}
 */
function queryOf({ q, label, show }) {
  if (show === "audit" || !(q || label || show === "errors")) return null;
  return { text: q, ...(label && { label }), ...(show === "errors" && { wrong: "true" }), ...(show === "unsure" && { true_label: "" }) };
}

/**
 * Fetch a mail that is not in the list. If its row came another way meanwhile, the answer may be older: ask again.
 * @param {string} key its place
 * @param {string} id
 * @returns {Promise<MailRow | Failure | null>} null if it is not remembered
 */
export async function fetchMail(key, id) {
  const newestRow = () => store.mails.get(key) ?? fetched.get(key);
  const before = newestRow();
  /** @type {SearchResult | Failure} */
  const answer = await ask("api/search", { id });
  if (failed(answer)) return answer;
  if (newestRow() !== before) return fetchMail(key, id);
  const answered = answer.rows.find((one) => placeKey(one.place) === key);
  if (!answered) return null;
  return keep(key, answered);
}

/**
 * Keep the row of an answer; the page may have had another one, which the server no longer pushes.
 * @param {string} key
 * @param {MailRow} answered
 */
function keep(key, answered) {
  const listed = store.mails.get(key);
  const row = { ...answered, audit: listed?.audit ?? false }; // the search does not know which mails were drawn
  (listed ? store.mails : fetched).set(key, row);
  return row;
}

/**
 * Poll until an older mail's label is learned, because the server pushes labels of the latest mails only.
 * @param {MailRow} row
 * @param {() => boolean} waits whether the label is still pending
 * @param {(row: MailRow) => void} changed called with the current row
 */
export async function followOld(row, waits, changed) {
  const key = placeKey(row.place);
  /** @type {MailRow | undefined} */
  let last;
  for (let times = 0; times < MOST_AGAIN; times++) {
    await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
    const listed = store.mails.get(key);
    if (listed && listed !== last && !waits()) return; // the server pushes it
    const now = await fetchMail(key, row.id);
    if (!now) return;
    if (failed(now)) continue;
    last = now;
    changed(now);
    const known = now.labelled_at !== row.labelled_at || now.source !== row.source;
    if (known && now.learned_label === now.true_label) return;
  }
}
