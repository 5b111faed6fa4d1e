// Tiles, the confusion matrix, the changes noticed, and which window the figures are of.

import { byId, el, emptyNote, segments } from "./dom.js";
import { ago, capitalized, count, duration, fixed, percent, rate } from "./format.js";
import { constants, onChange, store } from "./store.js";

/** @import { Report, View } from "./types.js" */

const SHOWN_CHANGES = 6;
let windowName = "";
/** @type {(() => void)[]} */
const windowListeners = [];

/**
 * Call `listener` when another window is chosen.
 * @param {() => void} listener
 */
export function onWindow(listener) {
  windowListeners.push(listener);
}

/** The name of the window that is chosen. */
export const chosenWindow = () => windowName;

/**
 * @param {string} name of a window
 * @returns {string} what people read
 */
export const windowTitle = (name) => constants().windows.find((spec) => spec.name === name)?.title ?? name;

export function startOverview() {
  windowName = constants().default_window;
  /** @type {[string, string][]} */
  const choices = constants().windows.map((spec) => [spec.name, spec.title]);
  segments(byId("windows"), choices, windowName, (name) => {
    windowName = name;
    if (store.view) showOverview(store.view);
    for (const listener of windowListeners) listener();
  });
  onChange((changes) => { if (changes.view) showOverview(changes.view); });
}

/** @param {View} view */
function showOverview(view) {
  showTiles(view);
  byId("coverage-note").textContent = coverageNote(view);
  showConfusion(view.windows[windowName].report);
  showChanges(view);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} below
 */
function tile(name, value, below) {
  return el("div", { class: "tile", "data-tile": name },
    el("h3", {}, name), el("p", { class: "figure" }, value), el("p", { class: "below" }, below));
}

/**
 * Errors of both kinds: negatives predicted positive, and positives not predicted positive.
 * @param {Report} report
 */
function countErrors(report) {
  const errors = { lost: 0, negatives: 0, missed: 0, positives: 0 };
  for (const [trueLabel, row] of Object.entries(report.confusion)) {
    for (const [label, mails] of Object.entries(row)) {
      if (trueLabel === report.positive) {
        errors.positives += mails;
        if (label !== trueLabel) errors.missed += mails;
      } else {
        errors.negatives += mails;
        if (label === report.positive) errors.lost += mails;
      }
    }
  }
  return errors;
}

/**
 * The other class, or "other mail" when there are several.
 * @param {View} view
 */
export function negativeName(view) {
  const others = view.classes.filter((name) => name !== view.positive);
  return others.length === 1 ? others[0] : "other mail";
}

/** @param {View} view */
function showTiles(view) {
  const { report, majority_class_accuracy: baseRate } = view.windows[windowName];
  const { lost, negatives, missed, positives } = countErrors(report);
  const interval = `${percent(report.accuracy_low)} to ${percent(report.accuracy_high)}; base rate ${percent(baseRate)}`;
  const ranking = report.one_minus_auc_pct;
  const delay = view.recent_delay ? `; half within ${duration(view.recent_delay.median_s)}` : "";
  byId("tiles").replaceChildren(
    tile("Accuracy", percent(report.accuracy), report.n ? interval : "no labelled mail yet"),
    tile(`${capitalized(negativeName(view))} lost`, percent(negatives ? lost / negatives : null),
      `${count(lost)} of ${count(negatives)} predicted ${view.positive}`),
    tile(`${capitalized(view.positive)} missed`, percent(positives ? missed / positives : null),
      `${count(missed)} of ${count(positives)} not predicted ${view.positive}`),
    tile("Ranking error", ranking === null ? "–" : `${fixed(ranking, 3)} %`, "1 − area under the ROC curve"),
    tile("Mails per second", rate(view.mails_per_s),
      `${count(view.mails)} mails, ${count(view.windows.start.report.n)} labelled since start`),
    tile("Labelled", percent(view.coverage, 1), `of the latest mails${delay}`));
}

/**
 * How far the accuracy can be trusted.
 * @param {View} view
 */
function coverageNote({ audit, estimate }) {
  const parts = [];
  if (audit.per_hour) {
    parts.push(`Random audit of ${audit.per_hour} mails an hour: accuracy ${percent(audit.accuracy)} `
      + `(${percent(audit.accuracy_low)} to ${percent(audit.accuracy_high)}) `
      + `from ${count(audit.labelled)} of ${count(audit.drawn)} drawn mails.`);
  } else {
    parts.push("Accuracy is over reported labels only; without a random audit sample it may be biased.");
  }
  if (estimate.accuracy !== null && estimate.unlabelled) {
    parts.push(`For the ${count(estimate.unlabelled)} latest mails without a label, `
      + `the estimate from their scores is ${percent(estimate.accuracy, 1)}.`);
  }
  return parts.join(" ");
}

/** @param {Report} report */
function showConfusion({ confusion }) {
  const labels = [...new Set(Object.values(confusion).flatMap((row) => Object.keys(row)))].sort();
  const trueLabels = Object.keys(confusion).filter((name) => Object.keys(confusion[name]).length).sort();
  if (!trueLabels.length) {
    byId("confusion").replaceChildren(emptyNote("No labelled mail yet."));
    return;
  }
  const rows = trueLabels.map((trueLabel) => {
    const total = Object.values(confusion[trueLabel]).reduce((sum, mails) => sum + mails, 0);
    return el("tr", {}, el("th", { scope: "row" }, trueLabel), labels.map((label) => {
      const mails = confusion[trueLabel][label] ?? 0;
      const shade = total ? Math.ceil((4 * mails) / total) : 0;
      const kind = label === trueLabel ? "correct" : "wrong";
      return el("td", { class: `${kind} shade-${shade}`, "data-cell": `${trueLabel}/${label}` },
        el("b", {}, count(mails)), el("small", {}, percent(total ? mails / total : null, 1)));
    }));
  });
  byId("confusion").replaceChildren(el("table", { class: "confusion" },
    el("caption", {}, `True label down, predicted label across; ${windowTitle(windowName)}`),
    el("thead", {}, el("tr", {}, el("td"), labels.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows)));
}

/** @param {View} view */
function showChanges({ changes }) {
  const items = changes.slice(-SHOWN_CHANGES).reverse().map((change) => el("li", {},
    el("b", {}, capitalized(change.signal)), ` ${percent(change.before, 1)} → ${percent(change.after, 1)} `,
    el("span", { class: "muted" }, ago(change.timestamp))));
  byId("changes").replaceChildren(...(items.length ? items : [el("li", { class: "muted" }, "None so far.")]));
}
