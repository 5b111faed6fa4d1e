// Labels made on this page: sent to the server, and pending until the log shows them.

import { failed, post } from "../api.js";
import { toast } from "../dom.js";
import { labelNames } from "../classes.js";
import { onChange, placeKey, store } from "../store.js";
import { watchScore } from "./rescored.js";
import { followOld } from "./search.js";

/** @import { MailRow } from "../types.d.ts" */
/** @typedef {{label: string | null, before: string, sent: boolean}} Pending the label on its way, what the mail had before, and whether the server has it */

/** @type {Map<string, Pending>} by place */
const pending = new Map();
/** @type {Map<string, Promise<object>>} by place, the post of a mail that was begun last */
const posts = new Map();
/** @type {((row: MailRow) => void)[]} */
const listeners = [];

export function startLabels() {
  onChange((changes) => { for (const row of changes.mails) reconcile(row); });
}

/**
 * Call `listener` with a mail when its pending label or its current score has changed.
 * @param {(row: MailRow) => void} listener
 */
export function onLabel(listener) {
  listeners.push(listener);
}

/**
 * Tell the lists to draw a mail again.
 * @param {MailRow} row
 */
export function redraw(row) {
  for (const listener of listeners) listener(row);
}

/**
 * A pending label has arrived if it was sent and the mail's label differs from before.
 * @param {MailRow} row
 */
function reconcile(row) {
  const key = placeKey(row.place);
  const one = pending.get(key);
  if (one?.sent && one.before !== labelAndTime(row)) pending.delete(key);
}

/** @param {MailRow} row */
const labelAndTime = (row) => `${row.labelled_at} ${row.source} ${row.true_label}`;

/**
 * The pending label; null for a withdrawal, undefined if nothing is pending.
 * @param {MailRow} row
 */
export const pendingLabel = (row) => pending.get(placeKey(row.place))?.label;

/**
 * The label of a mail as this page shows it: the pending one, else the true one.
 * @param {MailRow} row
 */
export function shownLabel(row) {
  const label = pendingLabel(row);
  return label === undefined ? row.true_label : label;
}

/**
 * Whether the latest label of this mail is from this page, or will be: withdrawing it restores the labels of others.
 * @param {MailRow} row
 */
export const isOwn = (row) => Boolean(pendingLabel(row)) || (row.source !== "" && row.source === store.page?.source);

/**
 * Label a mail. Null withdraws this page's label; if there is none, the mail gets no label. A pending label is not sent
 * again, and the labels of a mail are sent one after the other, so that the last click wins.
 * @param {MailRow} row
 * @param {string | null} label
 */
export async function sendLabel(row, label) {
  if (pendingLabel(row) === label) return;
  const key = placeKey(row.place);
  const forget = label === null && isOwn(row);
  const one = { label, before: labelAndTime(row), sent: false };
  pending.set(key, one);
  watchScore(row);
  redraw(row);
  const now = () => store.mails.get(key) ?? row;
  const waits = () => pending.get(key) === one;
  /** @param {MailRow} current from the log, which has the label; the monitor may never have shown one withdrawn at once */
  const arrived = (current) => { if (waits()) pending.delete(key); redraw(current); };
  const sending = Promise.resolve(posts.get(key)).then(() => post("api/label", { place: row.place, id: row.id, label, forget }));
  posts.set(key, sending);
  const answer = await sending;
  if (posts.get(key) === sending) posts.delete(key);
  if (failed(answer)) {
    if (waits()) pending.delete(key);
    redraw(now());
    toast(`Not labelled: ${answer.error}`);
    return;
  }
  one.sent = true;
  reconcile(now());
  redraw(now());
  followOld(row, waits, arrived);
}

/**
 * Keys that label: each label's first letter (which may be two units of UTF-16) where that is free, else the first free
 * digit. Not a blank, which presses the button that has the focus.
 */
export function labelKeys() {
  const taken = new Set(["j", "k", "w", "u", "/"]);
  const digits = [..."1234567890"];
  return labelNames().slice(0, 9).map((label) => {
    const [letter = ""] = label.trim().toLowerCase(); // "İ" has two in lower case
    const key = taken.has(letter) ? digits.find((digit) => !taken.has(digit)) ?? "" : letter;
    taken.add(key);
    return { label, key };
  });
}
