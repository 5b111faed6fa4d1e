// Throughput, backlog, quarantine and the model.

import { draw } from "../chart.js";
import { byId, el, emptyNote, morph } from "../dom.js";
import { cameWithMail, count, duration, pace, percent, rate, short } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { drawOn } from "../router.js";
import { constants, historyPoints, onChange, store } from "../store.js";
import { timeAxis } from "../time_axis.js";
import { term } from "../tip.js";
import { showProcesses } from "./processes.js";

/** @import { DurationQuantiles, HistoryPoint } from "../types.d.ts" */

/**
 * @typedef {object} PastChart
 * @property {string} id of its element
 * @property {string} name of its line
 * @property {string} title
 * @property {(point: HistoryPoint) => number} value
 * @property {(value: number) => string} show
 * @property {(value: number) => string} showLong
 */
const QUANTILES = "50\u00a0·\u00a095\u00a0·\u00a099\u00a0%";

/** @type {PastChart[]} */
const CHARTS = [
  { id: "throughput", name: "mails/s", title: "Mails per second", value: (point) => point.mails_per_s, show: rate, showLong: rate },
  { id: "vocabulary", name: "known", title: "Words and pairs known", value: (point) => point.features, show: short, showLong: count },
];

export function startOperations() {
  const draw = drawOn("operations", showOperations);
  onChange((changes) => { if (changes.view || changes.health) draw(); });
  setInterval(drawOn("operations", showProcesses), 1000); // a server that does not answer sends no change
}

/**
 * A list of names and values.
 * @param {string} id
 * @param {[string, string, string?][]} values with the name of the explanation, if there is one
 */
function showValues(id, values) {
  morph(byId(id), values.flatMap(([name, value, explained = ""]) => [el("dt", {}, term(name, GLOSSARY[explained])), el("dd", {}, value)]));
}

/** @param {DurationQuantiles | null} quantiles */
function durations(quantiles) {
  if (!quantiles) return "–";
  return [quantiles.median_s, quantiles.p95_s, quantiles.p99_s].map(duration).join(" · ");
}

function showOperations() {
  const { view } = store;
  if (!view) return;
  const { lag, quarantine, labels_learned, features, starter_share } = view.log_status;
  const [mails, mailUnit] = pace(view.mails_per_s);
  const [labels, labelUnit] = pace(view.labels_per_s);
  showPast();
  showValues("speed", [
    [`Mails per ${mailUnit}`, mails, "Rate"],
    [`Labels per ${labelUnit}`, labels, "Rate"],
    [`Arrival to score: ${QUANTILES}`, durations(view.recent_latency), "Arrival to score"],
    [`Arrival to label: ${QUANTILES}`, view.recent_delay && cameWithMail(view.recent_delay) ? "with the mail" : durations(view.recent_delay), "Arrival to label"],
  ]);
  showValues("lag", lag.map(({ topic, partition, records }) => [`${topic}[${partition}]`, count(records)]));
  /** @type {[string, string][]} */
  const reasons = Object.entries(quarantine).map(([reason, records]) => [reason, count(records)]);
  showValues("quarantine", reasons.length ? reasons : [["No bad records", "0"]]);
  /** @type {[string, string][]} */
  const starter = starter_share === null ? [] : [["Share of the starter that counts", percent(starter_share, 0)]];
  showValues("model", [
    ["Labels learned", count(labels_learned)],
    ["Words and pairs known", count(features)],
    ...starter,
    ["Unseen words in a mail", percent(view.mails ? view.signals["unseen words"] : null, 1), "Unseen words"],
  ]);
}

/** The last half hour before the newest mail; a longer time if only one mail came in it. */
function showPast() {
  const points = constants().history.map((ring) => historyPoints(ring.step_s)).find((found) => found.length > 1) ?? [];
  for (const chart of CHARTS) showChart(chart, points);
}

/**
 * @param {PastChart} chart
 * @param {HistoryPoint[]} points
 */
function showChart({ id, name, title, value, show, showLong }, points) {
  const holder = byId(id);
  if (points.length < 2) {
    holder.replaceChildren(emptyNote("Begins with the first mails."));
    return;
  }
  const low = points[0].timestamp;
  const newest = points[points.length - 1];
  const highest = Math.max(1, ...points.map(value));
  draw(holder, {
    series: [{ name, tone: "main", points: points.map((point) => ({ x: point.timestamp, y: value(point) })) }],
    x: timeAxis("time", low, newest.timestamp, holder.clientWidth),
    y: { title: title.toLowerCase(), low: 0, high: highest, show, showLong },
    summary: `${title}: ${show(value(newest))} at the end, at most ${show(highest)}.`,
  });
}
