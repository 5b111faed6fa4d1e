// The figures at the top, and how reliable they are.

import { fullName } from "../class_names.js";
import { confusedPairs, hasPositive, negativeName, positiveCounts, rowTotal } from "../classes.js";
import { byId, el, morph } from "../dom.js";
import { cameWithMail, capitalized, count, duration, fixed, measure, pace, percent, plural } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { address } from "../router.js";
import { term } from "../tip.js";
import { chosenWindow, windowTitle } from "../windows.js";

/** @import { Report, View } from "../types.d.ts" */

/** @param {View} view */
export function showTiles(view) {
  const { report, base_rate } = view.windows[chosenWindow()];
  const interval = `${percent(report.accuracy_low, 1)} to ${percent(report.accuracy_high, 1)}; base rate ${percent(base_rate, 1)}`;
  const [mails, unit] = pace(view.mails_per_s);
  morph(byId("tiles"),
    tile("Accuracy", percent(report.accuracy), report.n ? interval : "no labelled mail yet", "Accuracy with interval"),
    ...(hasPositive(view) ? errorTiles(view, report) : classTiles(view, report)),
    tile(`Mails per ${unit}`, mails,
      `${plural(view.mails, "mail")}, ${count(view.windows.start.report.n)} labelled since start`, "Rate"),
    tile("Labelled", percent(view.coverage, 1), `of the latest ${plural(view.estimate.labelled + view.estimate.unlabelled, "mail")}${delay(view)}`));
  morph(byId("coverage-note"), coverageNote(view));
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} below
 */
function tile(name, value, below, explained = name) {
  return el("div", { class: "tile", "data-tile": name },
    el("h2", { class: "tile-name" }, term(name, GLOSSARY[explained])), el("p", { class: "figure" }, value), el("p", { class: "below" }, below));
}

/**
 * The errors that matter if there is mail of the positive class.
 * @param {View} view
 * @param {Report} report
 */
function errorTiles(view, report) {
  const { lost, negatives, caught, positives } = positiveCounts(report.confusion, report.positive);
  const missed = positives - caught;
  const ranking = report.one_minus_auc_pct;
  return [
    tile(`${capitalized(negativeName(view))} lost`, percent(negatives ? lost / negatives : null),
      `${count(lost)} of ${count(negatives)} predicted ${view.positive}`, "Lost"),
    tile(`${capitalized(view.positive)} missed`, percent(positives ? missed / positives : null),
      `${count(missed)} of ${count(positives)} not predicted ${view.positive}`, "Missed"),
    tile("Ranking error", ranking === null ? "–" : measure(fixed(ranking, 3), "%"), `${view.positive} below other mail`),
  ];
}

/**
 * The errors that matter if there is no mail of the positive class.
 * @param {View} view
 * @param {Report} report
 */
function classTiles(view, report) {
  const recalls = Object.entries(report.confusion)
    .map(([name, row]) => ({ name, total: rowTotal(row), share: (row[name] ?? 0) / rowTotal(row) }))
    .sort((a, b) => a.share - b.share);
  const [weakest] = recalls;
  const [pair] = confusedPairs(report);
  return [
    tile("Weakest class", percent(weakest?.share), weakest ? `of ${count(weakest.total)} ${fullName(weakest.name)} recognised` : "–"),
    tile("Most confused", pair ? count(pair.mails) : "–", pair ? `${fullName(pair.truth)} predicted ${fullName(pair.label)}` : "no error"),
    tile("Classes", count(view.classes.length), "of labelled mails"),
  ];
}

/** @param {View} view */
function delay({ recent_delay: quantiles }) {
  if (!quantiles || cameWithMail(quantiles)) return "";
  return `; half of the labels within ${duration(quantiles.median_s)}`;
}

/**
 * How reliable the accuracy is.
 * @param {View} view
 */
function coverageNote({ audit, estimate, classes, windows }) {
  const parts = [];
  const { report, is_cut: isCut } = windows[chosenWindow()];
  if (isCut) parts.push(`The window “${windowTitle(chosenWindow())}” holds only its latest ${plural(report.n, "labelled mail")}. `);
  if (classes.length === 1) parts.push(`All labels are ${classes[0]}, so there is nothing to distinguish yet: label mails of another class. `);
  if (audit.per_hour) {
    parts.push(`Random audit of ${plural(audit.per_hour, "mail")} an hour: `, !audit.labelled ? "no drawn mail is labelled yet. "
      : `accuracy ${percent(audit.accuracy)} (${percent(audit.accuracy_low)} to ${percent(audit.accuracy_high)}) `
        + `from ${count(audit.labelled)} of ${plural(audit.drawn, "drawn mail")}. `);
  } else {
    parts.push("Measured only on mails that somebody labelled; turn on the ",
      el("a", { href: address("mail", { show: "audit" }) }, "audit"), " for an unbiased figure. ");
  }
  if (estimate.accuracy !== null && estimate.unlabelled) {
    parts.push(`For the latest ${plural(estimate.unlabelled, "mail")} without a label, `
      + `the accuracy estimated from ${estimate.unlabelled === 1 ? "its score" : "their scores"} and ${plural(estimate.labelled, "labelled mail")} is ${percent(estimate.accuracy, 1)}.`);
  }
  return parts;
}
