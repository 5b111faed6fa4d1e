// The table of the processes: their state, when they were seen and started, what waits for them.

import { byId, el, emptyNote, morph, tableHead } from "../dom.js";
import { ago, capitalized, count, moment } from "../format.js";
import { runs } from "../health.js";
import { store } from "../store.js";

/** @import { StageHealth } from "../page_types.js" */

const HEADINGS = ["Process", "State", "Last seen", "Waiting", "Started", "Version", "Command"];

export function showProcesses() {
  const stages = store.health?.stages ?? [];
  if (!stages.length) {
    morph(byId("processes"), el("tbody", {}, el("tr", {}, el("td", {}, emptyNote("The log has not answered yet.")))));
    return;
  }
  morph(byId("processes"), tableHead(HEADINGS), el("tbody", {}, stages.map(processRow)));
}

/** @param {StageHealth} one */
function processRow(one) {
  const waits = one.backlog.filter((each) => each.records).map((each) => `${count(each.records)} ${each.topic}`);
  const kind = one.state === "running" ? "live" : "late";
  return el("tr", { "data-process": one.name },
    el("th", { scope: "row", title: one.member }, capitalized(one.name)),
    el("td", {}, el("span", { class: "status", "data-kind": kind }, one.state)),
    el("td", {}, one.seen_at ? `${moment(one.seen_at)}, ${ago(one.seen_at)}` : "never"),
    el("td", {}, waits.length ? waits.join(", ") : "nothing"),
    el("td", {}, one.started_at ? moment(one.started_at) : "–"),
    el("td", {}, one.version || "–"),
    el("td", {}, runs(one) ? "–" : el("code", {}, one.command)));
}
