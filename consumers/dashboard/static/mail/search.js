// Mails further back than the list goes: the server searches those that it remembers.

import { ask, failed } from "../api.js";
import { byId } from "../dom.js";
import { count } from "../format.js";
import { placeKey, store } from "../store.js";

/** @import { Failure, SearchResult } from "../explanation_types.js" */
/** @import { MailRow } from "../types.js" */
/** @import { Filter } from "./filter.js" */

const WAIT_MS = 300; // somebody is still writing
const AGAIN_MS = 1_000;
const MOST_AGAIN = 60;
/** @type {Map<string, MailRow>} by place; what the store has too is newer there */
const found = new Map();
let timer = 0;
let newest = 0;
let redraw = () => {};

/** @param {() => void} draw called when something was found */
export function startSearch(draw) {
  redraw = draw;
}

/** All mails that the page knows: those of the list, and those found further back. */
export const knownMails = () => new Map([...found, ...store.mails]);

/**
 * The mail at a place as the page knows it.
 * @param {string} key
 */
export const knownMail = (key) => store.mails.get(key) ?? found.get(key);

/**
 * Search on the server for what a filter asks, unless it asks for nothing special.
 * @param {Filter} filter
 */
export function searchFor({ q, label, show }) {
  const number = ++newest;
  clearTimeout(timer);
  found.clear();
  byId("found").hidden = !q;
  if (!q) return;
  byId("found").textContent = "Searching further back…";
  timer = setTimeout(async () => {
    /** @type {SearchResult | Failure} */
    const answer = await ask("api/search", queryOf({ q, label, show }));
    if (number !== newest) return;
    if (failed(answer)) {
      byId("found").textContent = `Not searched further back: ${answer.error}`;
      return;
    }
    for (const row of answer.rows) found.set(placeKey(row.place), row);
    const shown = answer.rows.length < answer.found ? `, the newest ${count(answer.rows.length)} are listed` : "";
    byId("found").textContent = `Found in ${count(answer.found)} of ${count(answer.remembered)} mails that are remembered${shown}.`;
    redraw();
  }, WAIT_MS);
}

/**
 * @param {Filter} filter
 * @returns {Record<string, string>}
 */
function queryOf({ q, label, show }) {
  return { text: q, ...(label && { label }), ...(show === "errors" && { wrong: "true" }) };
}

/**
 * Fetch a mail that is not in the list.
 * @param {string} key its place
 * @param {string} id
 * @returns {Promise<MailRow | null>} null: it is not remembered
 */
export async function fetchMail(key, id) {
  /** @type {SearchResult | Failure} */
  const answer = await ask("api/search", { text: id });
  const row = failed(answer) ? null : answer.rows.find((one) => placeKey(one.place) === key);
  if (!row) return null;
  if (store.mails.has(key)) store.mails.set(key, row); else found.set(key, row);
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
