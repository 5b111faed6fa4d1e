// Tiles, accuracy over time, the confusion matrix and the changes noticed.

import { byId, el, segments } from "./dom.js";
import { draw, legend } from "./chart.js";
import { ago, clock, count, duration, fixed, percent, rate } from "./format.js";
import { onChange, store } from "./store.js";

const NAMES = { 100: "last 100", 1000: "last 1,000", 10000: "last 10,000", "5 min": "5 min", "1 h": "1 h", "24 h": "24 h", start: "since start" };
const RANGES = [["1", "30 min"], ["60", "24 h"], ["3600", "All"]];
const LINES = [["last 1,000", "main", 4], ["last 100", "faint", 3], ["since start", "start", 5], ["base rate", "base", 6], ["last class", "last", 7]];

export const chosen = { window: "1000", step: "1" };
const windowListeners = [];

export function onWindow(listener) { windowListeners.push(listener); }
export const windowName = () => NAMES[chosen.window];

export function startOverview() {
  segments(byId("windows"), Object.entries(NAMES), chosen.window, (value) => {
    chosen.window = value;
    show();
    for (const listener of windowListeners) listener();
  });
  segments(byId("ranges"), RANGES, chosen.step, (value) => { chosen.step = value; showChart(); });
  onChange(show);
  addEventListener("resize", showChart);
}

function show() {
  if (!store.view) return;
  showTiles();
  showConfusion();
  showChanges();
  showChart();
}

function tile(name, value, ...below) {
  return el("div", { class: "tile", "data-tile": name }, el("h3", {}, name), el("p", { class: "figure" }, value), el("p", { class: "below" }, ...below));
}

function errors(report) {
  let lost = 0;
  let negatives = 0;
  let missed = 0;
  let positives = 0;
  for (const [truth, row] of Object.entries(report.confusion)) {
    for (const [given, mails] of Object.entries(row)) {
      if (truth === report.positive) {
        positives += mails;
        if (given !== truth) missed += mails;
      } else {
        negatives += mails;
        if (given === report.positive) lost += mails;
      }
    }
  }
  return { lost, negatives, missed, positives };
}

function showTiles() {
  const view = store.view;
  const { report, base } = view.windows[chosen.window];
  const { lost, negatives, missed, positives } = errors(report);
  const others = view.classes.filter((name) => name !== view.positive);
  const negative = others.length === 1 ? others[0] : "other mail";
  byId("tiles").replaceChildren(
    tile("Accuracy", percent(report.accuracy), report.n ? `${percent(report.accuracy_low)} to ${percent(report.accuracy_high)}; base rate ${percent(base)}` : "no labelled mail yet"),
    tile(`${cap(negative)} lost`, percent(negatives ? lost / negatives : null), `${count(lost)} of ${count(negatives)} called ${view.positive}`),
    tile(`${cap(view.positive)} missed`, percent(positives ? missed / positives : null), `${count(missed)} of ${count(positives)} let through`),
    tile("Ranking error", report.one_minus_auc_pct === null ? "–" : `${fixed(report.one_minus_auc_pct, 3)} %`, "1 − area under the ROC curve"),
    tile("Mails per second", rate(view.mails_per_s), `${count(view.mails)} mails, ${count(view.windows.start.report.n)} labelled since start`),
    tile("Labelled", percent(view.coverage, 1), view.delay_s ? `of the latest mails; half within ${duration(view.delay_s[0])}` : "of the latest mails"));
  byId("honesty").textContent = honesty(view);
}

function honesty(view) {
  const { audit, estimate } = view;
  const parts = [];
  if (audit.per_hour) {
    parts.push(`Random audit of ${audit.per_hour} mails an hour: accuracy ${percent(audit.accuracy)} (${percent(audit.low)} to ${percent(audit.high)}) from ${count(audit.labelled)} of ${count(audit.drawn)} drawn mails.`);
  } else {
    parts.push("Accuracy is over the labels that were reported; without an audit sample nothing random stands behind it.");
  }
  if (estimate && estimate.accuracy !== null && estimate.unlabelled) {
    parts.push(`On the ${count(estimate.unlabelled)} latest mails without a label it is probably near ${percent(estimate.accuracy, 1)}, judging by their scores.`);
  }
  return parts.join(" ");
}

const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function showConfusion() {
  const { report } = store.view.windows[chosen.window];
  const given = [...new Set(Object.values(report.confusion).flatMap((row) => Object.keys(row)))].sort();
  const truths = Object.keys(report.confusion).filter((truth) => Object.keys(report.confusion[truth]).length).sort();
  if (!truths.length) {
    byId("confusion").replaceChildren(el("p", { class: "empty" }, "No labelled mail yet."));
    return;
  }
  const rows = truths.map((truth) => {
    const total = Object.values(report.confusion[truth]).reduce((sum, mails) => sum + mails, 0);
    return el("tr", {}, el("th", { scope: "row" }, truth), given.map((name) => {
      const mails = report.confusion[truth][name] || 0;
      const shade = total ? Math.ceil((4 * mails) / total) : 0;
      return el("td", { class: `${name === truth ? "right" : "wrong"} shade-${shade}`, "data-cell": `${truth}/${name}` },
        el("b", {}, count(mails)), el("small", {}, percent(total ? mails / total : null, 1)));
    }));
  });
  byId("confusion").replaceChildren(el("table", { class: "confusion" },
    el("caption", {}, `True class down, class given across; ${NAMES[chosen.window]}`),
    el("thead", {}, el("tr", {}, el("td"), given.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows)));
}

function showChanges() {
  const changes = store.view.changes.slice(-6).reverse();
  byId("changes").replaceChildren(...(changes.length ? changes.map((change) =>
    el("li", {}, el("b", {}, cap(change.signal)), ` ${percent(change.before, 1)} → ${percent(change.after, 1)} `,
      el("span", { class: "muted" }, `${ago(change.at)}`))) : [el("li", { class: "muted" }, "None so far.")]));
}

/** History points of the chosen step in order of time; where seconds are gone, minutes take their place. */
export function history(step = chosen.step) {
  const points = [...store.history[step].values()].sort((a, b) => a[0] - b[0]);
  const newest = points.length ? points[points.length - 1][0] : 0;
  const span = { 1: 1800, 60: 86400, 3600: Infinity }[step];
  return points.filter((point) => point[0] > newest - span);
}

function showChart() {
  const points = history();
  const holder = byId("accuracy-chart");
  if (!points.some((point) => point[4] !== null)) {
    holder.replaceChildren(el("p", { class: "empty" }, "The chart begins with the first label."));
    return;
  }
  const series = LINES.map(([name, tone, column]) => ({ name, tone, points: points.map((point) => [point[0], point[column]]) }));
  const seen = series.flatMap((one) => one.points.map((point) => point[1])).filter((value) => value !== null);
  const floor = Math.max(0, Math.floor(10 * Math.min(...seen)) / 10);
  const latest = points[points.length - 1];
  const long = points[points.length - 1][0] - points[0][0] > 172800;
  draw(holder, {
    series,
    x: { low: points[0][0], high: Math.max(latest[0], points[0][0] + 10), show: (at) => (long ? new Date(1000 * at).toLocaleDateString("en-GB") : clock(at, chosen.step === "1")), ticks: timeTicks(points[0][0], Math.max(latest[0], points[0][0] + 10), holder.clientWidth) },
    y: { low: floor, high: 1, show: (share) => `${Math.round(100 * share)} %`, long: (share) => percent(share) },
    marks: store.view.changes.filter((change) => change.signal !== "never seen").map((change) => ({ x: change.at, text: `${change.signal}: ${percent(change.before, 1)} to ${percent(change.after, 1)} at ${clock(change.at)}` })),
    summary: `Accuracy now: last 1,000 ${percent(latest[4])}, last 100 ${percent(latest[3])}, since start ${percent(latest[5])}; base rate ${percent(latest[6])}, last class ${percent(latest[7])}.`,
  });
  byId("accuracy-legend").replaceChildren(legend(series));
}

export function timeTicks(low, high, width) {
  const wanted = Math.max(2, (width || 600) / 110);
  const step = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400, 604800, 2592000].find((size) => (high - low) / size <= wanted) || 31536000;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
}
