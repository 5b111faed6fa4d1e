// The table of processes: state, times last seen and started, and backlog.

import { byId, el, emptyNote, morph, tableHead } from "../dom.js";
import { ago, capitalized, count, moment } from "../format.js";
import { isCalm, runs } from "../health.js";
import { isKnown } from "../health_strip.js";
import { store } from "../store.js";

/** @import { Health, StageHealth } from "../page_types.d.ts" */

const HEADINGS = ["Process", "State", "Last seen", "Waiting", "Started", "Version", "Command"];

export function showProcesses() {
  const { health } = store;
  if (!health?.stages.length) {
    morph(byId("processes"), el("tbody", {}, el("tr", {}, el("td", {}, emptyNote("The log has not answered yet.")))));
    return;
  }
  morph(byId("processes"), tableHead(HEADINGS), el("tbody", {}, health.stages.map((one) => processRow(health, one))));
}

/**
 * @param {Health} health
 * @param {StageHealth} one
 */
function processRow(health, one) {
  const waits = one.backlog.filter((each) => each.records).map((each) => `${count(each.records)} ${each.topic}`);
  const nothing = one.backlog.length ? "nothing" : "–"; // a process that is starting has not read its position yet
  const idle = isCalm(health, one) ? "" : "late";
  const kind = one.state === "running" ? "live" : idle;
  const known = isKnown(health);
  return el("tr", { "data-process": one.name },
    el("th", { scope: "row", title: one.member }, capitalized(one.name)),
    el("td", {}, el("span", { class: "status", "data-kind": known ? kind : "" }, known ? one.state : "unknown")),
    el("td", {}, one.seen_at ? `${moment(one.seen_at)}, ${ago(one.seen_at)}` : "never"),
    el("td", {}, waits.join(", ") || nothing),
    el("td", {}, one.started_at ? moment(one.started_at) : "–"),
    el("td", {}, one.version || "–"),
    el("td", {}, runs(one) ? "–" : el("code", {}, one.command)));
}
