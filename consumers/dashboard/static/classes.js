// The classes, their names, and counts by class.

import { count, percent } from "./format.js";
import { onChange, store } from "./store.js";

/** @import { MailRow, Report, View } from "./types.d.ts" */

const USUAL_OTHER = "ham";
export const UNSURE = "unsure"; // as in stream_nb/mail_nb/decision.py: the prediction near the threshold, which is not a class
export const UNSCORED = "(none)"; // as in consumers/records/values.py: the prediction before the first label was learned
/** @type {Map<string, string>} predictions that are not classes, and what they mean */
const NO_CLASSES = new Map([
  [UNSURE, "unsure: near the threshold, or only one class is known"],
  [UNSCORED, "(none): scored before the first label"],
]);

/**
 * Call `listener` when there are other classes.
 * @param {() => void} listener
 */
export function onClasses(listener) {
  let last = "";
  onChange(({ view }) => {
    const classes = view ? JSON.stringify(view.classes) : last;
    if (classes === last) return;
    last = classes;
    listener();
  });
}

/**
 * What a predicted label means, for its title.
 * @param {string} label
 */
export const predictionTitle = (label) => NO_CLASSES.get(label) ?? label;

/**
 * The labels that the page offers: the classes of labelled mails, the positive one first; spam and ham while there are
 * fewer than two.
 */
export function labelNames() {
  const classes = store.view?.classes ?? [];
  const positive = store.view?.positive ?? "spam";
  if (classes.length > 1) return positiveFirst(classes);
  return [...new Set([positive, ...classes, USUAL_OTHER])];
}

/**
 * The positive class first, the others in the order given.
 * @param {string[]} classes
 */
export function positiveFirst(classes) {
  const positive = store.view?.positive;
  return [...classes].sort((a, b) => Number(b === positive) - Number(a === positive));
}

/**
 * Whether figures of the positive class can be shown: it has mail, or there is no class yet.
 * @param {View} view
 */
export const hasPositive = ({ classes, positive }) => !classes.length || classes.includes(positive);

/**
 * Whether the log-odds of a mail can be shown. If the setting has been changed since, they are about another class.
 * @param {MailRow} row
 */
export const hasOdds = ({ positive }) => !store.view || (hasPositive(store.view) && positive === store.view.positive);

/**
 * The other class, or "other mail" if there are several.
 * @param {View} view
 */
export function negativeName(view) {
  const others = view.classes.filter((name) => name !== view.positive);
  return others.length === 1 ? others[0] : "other mail";
}

/**
 * The true labels of a report, and all its labels, both in order; predictions that are not classes come last.
 * @param {Report} report
 */
export function reportLabels({ confusion }) {
  const truths = Object.keys(confusion).sort();
  const labels = [...new Set([...truths, ...Object.values(confusion).flatMap(Object.keys)])].sort((a, b) => Number(NO_CLASSES.has(a)) - Number(NO_CLASSES.has(b)) || (a < b ? -1 : 1));
  return { truths, labels };
}

/** @param {Record<string, number>} row of a confusion matrix */
export const rowTotal = (row) => Object.values(row).reduce((sum, mails) => sum + mails, 0);

/**
 * The errors of a report, the commonest first.
 * @param {Report} report
 */
export function confusedPairs({ confusion }) {
  return Object.entries(confusion)
    .flatMap(([truth, row]) => Object.entries(row).map(([label, mails]) => ({ truth, label, mails, share: mails / rowTotal(row) })))
    .filter((pair) => pair.truth !== pair.label)
    .sort((a, b) => b.mails - a.mails || b.share - a.share);
}

/**
 * The counts of positive and other mails, and how many of each were predicted positive.
 * @param {Record<string, Record<string, number>>} confusion
 * @param {string} positive
 */
export function positiveCounts(confusion, positive) {
  const counts = { caught: 0, positives: 0, lost: 0, negatives: 0 };
  for (const [truth, row] of Object.entries(confusion)) {
    const called = row[positive] ?? 0;
    if (truth === positive) {
      counts.caught += called;
      counts.positives += rowTotal(row);
    } else {
      counts.lost += called;
      counts.negatives += rowTotal(row);
    }
  }
  return counts;
}

/**
 * The number of positive mails caught and of other mails lost, in words.
 * @param {View} view
 * @param {{caught: number, positives: number, lost: number, negatives: number}} counts
 */
export function effect(view, { caught, positives, lost, negatives }) {
  const of = (/** @type {number} */ mails, /** @type {number} */ all) => `(${percent(all ? mails / all : null)})`;
  return `${count(caught)} of ${count(positives)} ${view.positive} caught ${of(caught, positives)}, `
    + `${count(lost)} of ${count(negatives)} ${negativeName(view)} lost ${of(lost, negatives)}.`;
}
