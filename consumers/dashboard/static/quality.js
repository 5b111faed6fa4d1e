// ROC with a threshold slider, calibration, and the table of all measures.

import { byId, el } from "./dom.js";
import { draw } from "./chart.js";
import { count, fixed, odds, percent } from "./format.js";
import { ask, onChange, store } from "./store.js";
import { chosen, onWindow, windowName } from "./overview.js";

/** @type {[string, (window: any) => string][]} */
const MEASURES = [
  ["Labelled mails", (w) => count(w.report.n)],
  ["Accuracy", (w) => percent(w.report.accuracy)],
  ["95 % interval", (w) => (w.report.n ? `${(100 * w.report.accuracy_low).toFixed(1)}–${(100 * w.report.accuracy_high).toFixed(1)} %` : "–")],
  ["Base rate", (w) => percent(w.base)],
  ["Last class", (w) => percent(w.last)],
  ["Precision", (w) => percent(w.report.precision)],
  ["Recall", (w) => percent(w.report.recall)],
  ["F-beta", (w) => percent(fBeta(w.report, beta))],
  ["(1 − AUC) %", (w) => fixed(w.report.one_minus_auc_pct, 4)],
  ["LAM %", (w) => fixed(w.report.lam_pct, 3)],
  ["Loss 0-1", (w) => fixed(w.losses["0-1"], 4)],
  ["Loss L2", (w) => fixed(w.losses.L2, 4)],
  ["Loss hinge", (w) => fixed(w.losses.hinge, 4)],
  ["Loss exponential", (w) => fixed(w.losses.exponential, 4)],
  ["Log loss", (w) => fixed(w.losses["log loss"], 4)],
];
let beta = 1;
let cut = null; // log-odds chosen with the slider; null: the one in use

export function startQuality() {
  byId("cut").addEventListener("input", (event) => {
    const curve = currentCurve();
    if (curve?.roc.length) cut = curve.roc[Math.round((1 - event.target.value / 1000) * (curve.roc.length - 1))][0];
    showRoc();
  });
  onChange((changes) => { if (changes.curves) showCurves(); if (changes.view) { showMeasures(); showNames(); } });
  byId("beta").addEventListener("input", (event) => { beta = Math.max(0, Number(event.target.value) || 0); showMeasures(); });
  byId("smoothing-run").addEventListener("click", runSmoothing);
  onWindow(() => { showCurves(); });
  addEventListener("resize", showCurves);
}

function showNames() {
  for (const node of document.querySelectorAll(".positive-name")) node.textContent = store.view.positive;
}

/** The curve of the chosen window; windows of time have none, so the last 1,000 stand in. */
function currentCurve() {
  return store.curves && (store.curves[chosen.window] || store.curves["1000"]);
}

const curveName = () => (store.curves?.[chosen.window] ? windowName() : "last 1,000");

function showCurves() {
  showRoc();
  showCalibration();
}

/** What calling everything at or above a threshold positive would have given. */
function at(curve, threshold) {
  let hits = 0;
  let alarms = 0;
  for (const [score, h, a] of curve.roc) {
    if (score < threshold) break;
    [hits, alarms] = [h, a];
  }
  return { hits, alarms };
}

function showRoc() {
  const curve = currentCurve();
  if (!curve || !curve.positives || !curve.negatives) {
    byId("roc").replaceChildren(el("p", { class: "empty" }, "Needs labelled mails of both kinds."));
    byId("cut-effect").textContent = "";
    return;
  }
  const inUse = [...store.mails.values()].at(-1)?.threshold ?? 0;
  const threshold = cut ?? inUse;
  const { hits, alarms } = at(curve, cut === null ? threshold + 1e-9 : threshold);
  const points = [[0, 0], ...curve.roc.map(([, h, a]) => [a / curve.negatives, h / curve.positives])];
  draw(byId("roc"), {
    series: [
      { name: "chance", tone: "base", points: [[0, 0], [1, 1]] },
      { name: "ROC", tone: "main", points },
      { name: "threshold", kind: "dots", tone: "main", points: [[alarms / curve.negatives, hits / curve.positives, 6]] },
    ],
    x: { low: -0.02, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1], show: (v) => `${Math.round(100 * v)} %`, title: "lost" },
    y: { low: 0, high: 1.02, ticks: [0, 0.25, 0.5, 0.75, 1], show: (v) => `${Math.round(100 * v)} %` },
    readout: false,
    summary: `ROC curve, ${curveName()}: area ${fixed(curve.auc, 5)}`,
  });
  byId("cut-value").textContent = `${odds(threshold)}${cut === null ? " (in use)" : ""}`;
  const index = curve.roc.findIndex(([score]) => score <= threshold);
  if (document.activeElement !== byId("cut")) byId("cut").value = String(1000 * (1 - (index < 0 ? curve.roc.length - 1 : index) / Math.max(1, curve.roc.length - 1)));
  byId("cut").setAttribute("aria-valuetext", `log-odds ${odds(threshold)}`);
  const other = store.view.classes.filter((name) => name !== store.view.positive);
  byId("cut-effect").textContent = `Over the ${curveName()}: ${count(hits)} of ${count(curve.positives)} ${store.view.positive} caught (${percent(hits / curve.positives)}), `
    + `${count(alarms)} of ${count(curve.negatives)} ${other.length === 1 ? other[0] : "other mails"} lost (${percent(alarms / curve.negatives)}). Area ${fixed(curve.auc, 5)}.`;
}

function showCalibration() {
  const curve = currentCurve();
  if (!curve || !curve.bins.some(([mails]) => mails)) {
    byId("calibration").replaceChildren(el("p", { class: "empty" }, "Needs labelled mails."));
    return;
  }
  const most = Math.max(...curve.bins.map(([mails]) => mails));
  draw(byId("calibration"), {
    series: [
      { name: "ideal", tone: "base", points: [[0, 0], [1, 1]] },
      { name: "calibration", kind: "dots", tone: "main", points: curve.bins.filter(([mails]) => mails).map(([mails, hits, mean]) => [mean, hits / mails, 3 + 6 * Math.sqrt(mails / most)]) },
    ],
    x: { low: -0.04, high: 1.04, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], show: (v) => v.toFixed(1), title: "probability given" },
    y: { low: -0.04, high: 1.04, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], show: (v) => v.toFixed(1) },
    readout: false,
    summary: `Calibration, ${curveName()}: ${curve.bins.filter(([mails]) => mails).map(([mails, hits, mean]) => `said ${percent(mean, 0)}, was ${percent(hits / mails, 0)} of ${mails}`).join("; ")}`,
  });
}

/** Precision and recall in one figure; beta above 1 weighs recall more. */
function fBeta({ precision, recall }, weight) {
  if (precision === null || recall === null) return null;
  const below = weight * weight * precision + recall;
  return below ? ((1 + weight * weight) * precision * recall) / below : 0;
}

function showMeasures() {
  const windows = Object.entries(store.view.windows);
  byId("measures").replaceChildren(
    el("thead", {}, el("tr", {}, el("td"), windows.map(([name]) => el("th", { scope: "col" }, name === "start" ? "Since start" : /^\d+$/.test(name) ? `Last ${count(Number(name))}` : name)))),
    el("tbody", {}, MEASURES.map(([name, value]) => el("tr", { "data-measure": name }, el("th", { scope: "row" }, name), windows.map(([key, one]) => el("td", { "data-window": key }, value(one)))))));
}

async function runSmoothing() {
  const button = byId("smoothing-run");
  button.disabled = true;
  byId("smoothing-note").textContent = "Scoring the last labelled mails again, each without its own lesson…";
  const said = await ask("api/smoothing");
  button.disabled = false;
  if (said.error || !said.mails) {
    byId("smoothing-note").textContent = said.error || "No labelled mail to score yet.";
    return;
  }
  const points = said.grid.map((point) => [Math.log10(point.smoothing), point.accuracy]);
  const low = Math.min(...points.map((point) => point[1]));
  const best = said.grid.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));
  draw(byId("smoothing"), {
    series: [{ name: "accuracy", tone: "main", points }, { name: "lambdas", kind: "dots", tone: "main", points },
      { name: "in use", kind: "dots", tone: "chosen", points: points.filter((point) => Math.abs(point[0] - Math.log10(said.in_use)) < 1e-9).map((point) => [...point, 7]) }],
    x: { low: -3, high: 1, ticks: [-3, -2, -1, 0, 1], show: (power) => String(10 ** power), title: "λ" },
    y: { low: Math.max(0, Math.floor(20 * (low - 0.01)) / 20), high: 1, show: (share) => `${Math.round(100 * share)} %` },
    readout: false,
    summary: `Accuracy by lambda: ${said.grid.map((point) => `${point.smoothing}: ${percent(point.accuracy)}`).join("; ")}`,
  });
  byId("smoothing-note").textContent = `Accuracy on the last ${count(said.mails)} labelled mails by lambda, each mail scored without its own lesson. In use: ${said.in_use}. Best here: ${best.smoothing} (${percent(best.accuracy)}).`;
}
