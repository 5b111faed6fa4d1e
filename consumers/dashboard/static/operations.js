// Throughput, lag, quarantine, the model, and the sources of labels.

import { byId, el, toast } from "./dom.js";
import { draw } from "./chart.js";
import { ago, clock, count, duration, percent, rate } from "./format.js";
import { onChange, post, store } from "./store.js";
import { history, timeTicks } from "./overview.js";

export function startOperations() {
  onChange((changes) => { if (changes.view) show(); });
  addEventListener("resize", showThroughput);
}

function facts(holder, pairs, empty) {
  holder.replaceChildren(...(pairs.length ? pairs.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]) : [el("dt", {}, empty), el("dd", {}, "0")]));
}

function quantiles(values) {
  return values ? values.map(duration).join(" · ") : "–";
}

function show() {
  const view = store.view;
  showThroughput();
  facts(byId("speed"), [
    ["Mails per second", rate(view.mails_per_s)],
    ["Labels per second", rate(view.labels_per_s)],
    ["Arrival to score (median · 95 % · 99 %)", quantiles(view.latency_s)],
    ["Arrival to label (median · 95 % · 99 %)", quantiles(view.delay_s)],
  ]);
  facts(byId("lag"), Object.entries(view.facts.lag).map(([place, records]) => [place, count(records)]));
  facts(byId("quarantine"), Object.entries(view.facts.quarantine), "Nothing was put aside");
  facts(byId("model"), [
    ["Labels learned", count(view.facts.labels_learned)],
    ["Words and pairs known", count(view.facts.features)],
    ["Never-seen share of a mail", percent(view.signals["never seen"], 1)],
  ]);
  showSources(view);
}

function showThroughput() {
  const points = history("1");
  const holder = byId("throughput");
  if (points.length < 2) { holder.replaceChildren(el("p", { class: "empty" }, "Begins with the first mails.")); return; }
  const high = Math.max(1, ...points.map((point) => point[8]));
  const last = points[points.length - 1];
  draw(holder, {
    series: [{ name: "mails/s", tone: "main", points: points.map((point) => [point[0], point[8]]) }],
    x: { low: points[0][0], high: last[0], show: (at) => clock(at, false), long: (at) => clock(at), ticks: timeTicks(points[0][0], last[0], holder.clientWidth) },
    y: { low: 0, high, show: (value) => rate(value) },
    summary: `Mails per second over the last half hour; now ${rate(last[8])}, most ${rate(high)}.`,
  });
}

const HEADINGS = ["Source", "Labels", "Withdrawn", "Against the filter", "Count in the model", "Probably wrong", "Flip rate", "Last", ""];

function showSources(view) {
  const rows = view.sources.map(({ name, shown, counts }) => {
    const [labels, doubted, rate] = view.facts.reliability[name] || [0, 0, null];
    return el("tr", { "data-source": name },
      el("th", { scope: "row" }, el("bdi", {}, shown)), el("td", {}, count(counts.labels)), el("td", {}, count(counts.withdrawn)),
      el("td", {}, `${count(counts.against)} (${percent(counts.scored ? counts.against / counts.scored : null, 1)})`),
      el("td", {}, count(labels)), el("td", {}, doubted.toFixed(1)), el("td", {}, percent(rate, 1)), el("td", {}, ago(counts.last_at)),
      el("td", {}, el("button", { type: "button", "aria-label": `Undo ${shown}`, onclick: () => ask(name, shown, labels) }, "Undo…")));
  });
  const table = byId("source-table");
  if (table.contains(document.activeElement) || table.matches(":hover")) {
    if (table.tBodies.length && table.tBodies[0].rows.length === rows.length) return; // hold still under the pointer
  }
  table.replaceChildren(
    el("thead", {}, el("tr", {}, HEADINGS.map((name) => (name ? el("th", { scope: "col" }, name) : el("td"))))),
    el("tbody", {}, rows.length ? rows : el("tr", {}, el("td", { colspan: HEADINGS.length, class: "empty" }, "Nobody has labelled yet."))));
}

function ask(name, shown, labels) {
  byId("undo-question").textContent = `Take back everything that “${shown}” said? ${count(labels)} of its labels count in the model now; what others said about the same mails will count again.`;
  byId("undo").returnValue = "";
  byId("undo").onclose = () => { if (byId("undo").returnValue === "yes") undo(name, shown); };
  byId("undo").showModal();
}

async function undo(name, shown) {
  try {
    const { taken_back: opinions } = await post("api/undo", { source: name });
    toast(`${count(opinions)} labels of ${shown} are being taken back.`);
  } catch (error) {
    toast(`Not undone: ${error.message}`);
  }
}
