// Mails further back than the list goes: the server searches those that it remembers.

import { ask, failed } from "../api.js";
import { byId } from "../dom.js";
import { count, plural } from "../format.js";
import { placeKey, store } from "../store.js";

/** @import { Failure, SearchResult } from "../explanation_types.js" */
/** @import { MailRow } from "../types.js" */
/** @import { Filter } from "./filter.js" */

const WAIT_MS = 300; // somebody is still writing
const AGAIN_MS = 1_000;
const MOST_AGAIN = 60;
/** @type {Map<string, MailRow>} by place, found for what is searched now; what the store has too is newer there */
const found = new Map();
/** @type {Map<string, MailRow>} by place, asked for one by one */
const fetched = new Map();
/** @type {Record<string, string> | null} what the server is asked for; null: nothing, the list has it all */
let query = null;
/** How many mails fit, as the server said last. */
let fitting = 0;
let timer = 0;
let newest = 0;
let redraw = () => {};

/** @param {() => void} draw called when something was found, and when there is nothing more to find */
export function startSearch(draw) {
  redraw = draw;
}

/** All mails that the page knows: those of the list, and those from further back. */
export const knownMails = () => new Map([...found, ...fetched, ...store.mails]);

/**
 * The mail at a place as the page knows it.
 * @param {string} key
 */
export const knownMail = (key) => store.mails.get(key) ?? fetched.get(key) ?? found.get(key);

/**
 * The server found the mail for what is searched now.
 * @param {string} key its place
 */
export const isFound = (key) => found.has(key);

/** There are more mails on the server that fit. */
export const findsMore = () => found.size < fitting;

/**
 * Search on the server for what a filter asks, if that may be further back than the list goes.
 * @param {Filter} filter
 */
export function searchFor(filter) {
  newest++;
  clearTimeout(timer);
  found.clear();
  fitting = 0;
  query = queryOf(filter);
  byId("found").hidden = !query;
  if (!query) return;
  byId("found").textContent = "Searching further back…";
  timer = setTimeout(findMore, WAIT_MS);
}

/**
 * Ask the server for the next ones of the mails that fit.
 * @returns {Promise<boolean>} they have come
 */
export async function findMore() {
  const number = newest;
  /** @type {SearchResult | Failure} */
  const answer = await ask("api/search", { ...query, skip: found.size });
  if (number !== newest) return false;
  if (failed(answer)) {
    byId("found").textContent = `Not searched further back: ${answer.error}`;
    return false;
  }
  for (const row of answer.rows) found.set(placeKey(row.place), row);
  fitting = answer.rows.length ? answer.found : found.size;
  byId("found").textContent = `Found ${count(answer.found)} of ${plural(answer.remembered, "mail")} that are remembered.`;
  redraw();
  return true;
}

/**
 * What the server is asked for. It does not know which mails were drawn for the audit, and which of those without a
 * label are near the threshold is asked on a page of its own.
 * @param {Filter} filter
 * @returns {Record<string, string> | null}
 */
function queryOf({ q, label, show }) {
  if (show === "audit" || !(q || label || show === "errors")) return null;
  return { text: q, ...(label && { label }), ...(show === "errors" && { wrong: "true" }), ...(show === "unsure" && { true_label: "" }) };
}

/**
 * Fetch a mail that is not in the list.
 * @param {string} key its place
 * @param {string} id
 * @returns {Promise<MailRow | null>} null: it is not remembered
 */
export async function fetchMail(key, id) {
  /** @type {SearchResult | Failure} */
  const answer = await ask("api/search", { id });
  const row = failed(answer) ? null : answer.rows.find((one) => placeKey(one.place) === key);
  if (!row) return null;
  if (store.mails.has(key)) store.mails.set(key, row); else fetched.set(key, row);
  return row;
}

/**
 * The server tells of labels of the latest mails only, so ask until an older one's label is learned.
 * @param {MailRow} row
 * @param {() => boolean} waits the label has not been seen yet
 * @param {(row: MailRow) => void} changed called with the row as it is now
 */
export async function followOld(row, waits, changed) {
  const key = placeKey(row.place);
  for (let times = 0; times < MOST_AGAIN; times++) {
    await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
    if (store.mails.has(key) && !waits()) return;
    const now = await fetchMail(key, row.id);
    if (!now) return;
    changed(now);
    const known = now.labelled_at !== row.labelled_at || now.source !== row.source;
    if (known && now.learned_label === now.true_label) return;
  }
}
