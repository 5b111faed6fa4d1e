// Labels given on this page: sent to the server, and pending until the log shows them.

import { post } from "./api.js";
import { toast } from "./dom.js";
import { watchScore } from "./rescored.js";
import { onChange, placeKey, store } from "./store.js";

/** @import { MailRow } from "./types.js" */

/** @type {Map<string, string | null>} place -> label that is on its way */
const pending = new Map();
/** @type {(row: MailRow) => void} */
let redraw = () => {};

/** @param {(row: MailRow) => void} redrawRow called when a mail's pending label has changed */
export function startLabels(redrawRow) {
  redraw = redrawRow;
  onChange((changes) => {
    for (const row of changes.mails) {
      const key = placeKey(row.place);
      if (pending.has(key) && row.true_label === pending.get(key)) pending.delete(key);
    }
  });
}

/**
 * The label that is on its way, null for a withdrawal, undefined when there is none.
 * @param {MailRow} row
 */
export const pendingLabel = (row) => pending.get(placeKey(row.place));

/**
 * The label of a mail as this page shows it: the pending one, else the true one.
 * @param {MailRow} row
 */
export function shownLabel(row) {
  const label = pendingLabel(row);
  return label === undefined ? row.true_label : label;
}

/**
 * Label a mail; null withdraws its label.
 * @param {MailRow} row
 * @param {string | null} label
 */
export async function sendLabel(row, label) {
  const key = placeKey(row.place);
  pending.set(key, label);
  watchScore(row);
  redraw(row);
  try {
    await post("api/label", { place: row.place, id: row.id, label });
  } catch (error) {
    pending.delete(key);
    redraw(store.mails.get(key) ?? row);
    toast(`Not labelled: ${error instanceof Error ? error.message : error}`);
  }
}

/** The labels that the page offers: the classes so far, and "ham" and the positive class before the first label. */
export const labelNames = () => [...new Set([store.view?.positive ?? "spam", ...(store.view?.classes ?? []), "ham"])];

/** Keys that label: each label's first letter where that is free, else a digit. */
export function labelKeys() {
  const taken = new Set(["j", "k", "w", "u", "/"]);
  return labelNames().slice(0, 9).map((label, index) => {
    const letter = label.charAt(0).toLowerCase();
    const key = taken.has(letter) ? String(index + 1) : letter;
    taken.add(key);
    return { label, key };
  });
}
