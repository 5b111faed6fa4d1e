// Throughput, lag, quarantine, the model, and the sources of labels.

import { byId, el, toast } from "./dom.js";
import { draw } from "./chart.js";
import { ago, clock, count, duration, percent, rate } from "./format.js";
import { onChange, post, store } from "./store.js";
import { history, timeTicks } from "./overview.js";

export function startOperations() {
  onChange((changes) => { if (changes.view) show(); });
  addEventListener("resize", showPast);
}

function facts(holder, pairs, empty) {
  holder.replaceChildren(...(pairs.length ? pairs.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]) : [el("dt", {}, empty), el("dd", {}, "0")]));
}

function quantiles(values) {
  return values ? values.map(duration).join(" · ") : "–";
}

function show() {
  const view = store.view;
  showPast();
  facts(byId("speed"), [
    ["Mails per second", rate(view.mails_per_s)],
    ["Labels per second", rate(view.labels_per_s)],
    ["To the score: median · 95 · 99 %", quantiles(view.latency_s)],
    ["To the label: median · 95 · 99 %", quantiles(view.delay_s)],
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

function showPast() {
  const points = history("1");
  const last = points[points.length - 1];
  /** @type {[string, number, string, (value: number) => string, string][]} */
  const draws = [["throughput", 8, "mails/s", rate, "Mails per second"], ["vocabulary", 9, "known", short, "Words and pairs known"]];
  for (const [id, column, name, show, title] of draws) {
    if (points.length < 2) { byId(id).replaceChildren(el("p", { class: "empty" }, "Begins with the first mails.")); continue; }
    const high = Math.max(1, ...points.map((point) => point[column]));
    draw(byId(id), {
      series: [{ name, tone: "main", points: points.map((point) => [point[0], point[column]]) }],
      x: { low: points[0][0], high: last[0], show: (at) => clock(at, last[0] - points[0][0] < 600), long: (at) => clock(at), ticks: timeTicks(points[0][0], last[0], byId(id).clientWidth) },
      y: { low: 0, high, show, long: name === "known" ? count : rate },
      summary: `${title} over the last half hour: now ${show(last[column])}, most ${show(high)}.`,
    });
  }
}

const short = (value) => (value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : value >= 1000 ? `${Math.round(value / 1000)} k` : String(value));

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
