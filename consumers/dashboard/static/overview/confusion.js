// The confusion matrix as a heat map, and the most confused pairs of classes.

import { fullName, shortName } from "../class_names.js";
import { confusedPairs, predictionTitle, reportLabels, rowTotal } from "../classes.js";
import { byId, el, emptyNote, morph, scrolling } from "../dom.js";
import { count, percent, plural } from "../format.js";

/** @import { Report } from "../types.d.ts" */

const SMALL = 3; // more classes need the full page width, and upright headings
const SHADES = 6;
const SHOWN_PAIRS = 5;

/**
 * @param {Report} report
 * @param {string} title title of the report's window
 */
export function showConfusion(report, title) {
  const { truths, labels } = reportLabels(report);
  byId("overview-cards").classList.toggle("many", labels.length > SMALL);
  if (!truths.length) {
    morph(byId("confusion"), emptyNote("No labelled mail yet."));
    return;
  }
  const pairs = labels.length > 2 ? [confusedList(report)] : [];
  morph(byId("confusion"),
    el("div", { class: "confusion-parts" },
      scrolling("Confusion matrix", matrix(report, truths, labels)), ...pairs),
    el("p", { class: "note" }, `${plural(report.n, "labelled mail")}, ${title}. `
      + `Each row adds up to 100\u00a0%. ${meanings(labels)}`));
}

/**
 * What the predictions that are not classes mean.
 * @param {string[]} labels
 */
const meanings = (labels) => labels.filter((name) => predictionTitle(name) !== name).map((name) => `${predictionTitle(name)}.`).join(" ");

/**
 * @param {Report} report
 * @param {string[]} truths
 * @param {string[]} labels
 */
function matrix({ confusion }, truths, labels) {
  const rows = truths.map((truth) => {
    const total = rowTotal(confusion[truth]);
    return el("tr", {}, el("th", { scope: "row", title: truth }, el("bdi", {}, shortName(truth))), labels.map((label) => {
      const mails = confusion[truth][label] ?? 0;
      const shade = Math.ceil((SHADES * mails) / total);
      const kind = label === truth ? "correct" : "wrong";
      const share = percent(mails / total, mails && mails < total ? 1 : 0);
      return el("td", { class: `${kind} shade-${shade}`, "data-cell": `${truth}/${label}`, title: `${truth} predicted ${label}: ${count(mails)}` },
        el("b", {}, count(mails)), el("small", {}, share));
    }));
  });
  const kind = labels.length > SMALL ? "confusion upright" : "confusion";
  const widths = el("colgroup", {}, el("col", { class: "truths" }), labels.map(() => el("col", { class: "cell" })));
  return el("table", { class: kind }, widths,
    el("thead", {},
      el("tr", {}, el("td", { class: "corner" }, "Truth ↓"),
        el("th", { scope: "colgroup", colspan: labels.length, class: "said" }, "Predicted →")),
      el("tr", {}, el("td"), labels.map((name) => el("th", { scope: "col", title: predictionTitle(name) }, el("bdi", {}, shortName(name)))))),
    el("tbody", {}, rows));
}

/** @param {Report} report */
function confusedList(report) {
  const items = confusedPairs(report).slice(0, SHOWN_PAIRS).map(({ truth, label, mails, share }) =>
    el("li", {}, el("bdi", {}, fullName(truth)), " → ", el("bdi", {}, fullName(label)), " ", el("b", {}, count(mails)),
      el("span", { class: "muted" }, ` (${percent(share, 1)} of ${fullName(truth)})`)));
  return el("div", { class: "pairs" },
    el("h3", {}, "Most confused: truth → prediction"),
    el("ol", { class: "plain" }, items.length ? items : el("li", { class: "muted" }, "No errors.")));
}
