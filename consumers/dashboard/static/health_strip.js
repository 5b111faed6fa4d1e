// The strip on top of every page: log, stages and dashboard, each with its state, when it was last seen, and its backlog.

import { connection } from "./connection.js";
import { byId, el, morph } from "./dom.js";
import { capitalized, count, moment } from "./format.js";
import { isCalm, isNow, processes, runs, showLine, since, starts, total } from "./health.js";
import { serverTime } from "./server_clock.js";
import { constants, onChange, store } from "./store.js";

/** @import { Health, StageHealth } from "./page_types.d.ts" */
/** @typedef {{name: string, kind: "live" | "late" | "lost" | "", text: string, tip: string}} Chip */

export function startHealth() {
  onChange(showHealth);
  setInterval(showHealth, 1000);
  showHealth();
}

export function showHealth() {
  showLine();
  const { health } = store;
  const chips = [logChip(health), ...stageChips(health), dashboardChip()];
  morph(byId("health"), chips.map(({ name, kind, text, tip }) => el("li", {},
    el("a", { href: "operations", "data-kind": kind, "data-part": name.toLowerCase(), "data-tip": `${name} ${text}. ${tip}` }, el("b", {}, name), ` ${text}`))));
}

/** The dashboard's server has answered lately, so what it says of the others is true now. */
function isConnected() {
  if (connection.state !== "open") return false;
  return Date.now() - connection.answeredAt <= 1000 * constants().server_silent_s;
}

/**
 * Whether the server and the log have answered lately, so that what is shown of the stages is true now.
 * @param {Health} health
 */
export const isKnown = ({ log }) => isConnected() && log.answers;

/** @param {number} seenAt */
const seen = (seenAt) => (isNow(seenAt) ? "seen now" : lastSeen(seenAt));

/**
 * The same for something that may be gone.
 * @param {number} seenAt
 */
const lastSeen = (seenAt) => `last seen ${isNow(seenAt) ? "just now" : `${since(seenAt)} ago`}`;

/** @returns {Chip} */
function dashboardChip() {
  const name = "Dashboard";
  const seenAt = serverTime(connection.answeredAt);
  const tip = connection.answeredAt ? `Last seen ${moment(seenAt)}` : "Not seen yet";
  if (isConnected()) return { name, kind: "live", text: `answers, ${seen(seenAt)}`, tip };
  if (connection.state === "connecting") return { name, kind: "", text: "connecting", tip };
  if (connection.refusal) return { name, kind: "lost", text: "refuses this page", tip };
  if (!connection.answeredAt) return { name, kind: "lost", text: "not running: stream-nb dashboard", tip };
  return { name, kind: "lost", text: `does not answer, ${lastSeen(seenAt)}`, tip };
}

/**
 * @param {Health | null} health
 * @returns {Chip}
 */
function logChip(health) {
  const name = "Log";
  if (!health) return { name, kind: "", text: "not known yet", tip: "The log joins the stages" };
  const { answers, seen_at, error } = health.log;
  const tip = error || `Last answered ${moment(seen_at)}`;
  if (!isConnected()) return { name, kind: "", text: `unknown, ${lastSeen(seen_at)}`, tip };
  if (!answers) return { name, kind: "lost", text: seen_at ? `does not answer, ${lastSeen(seen_at)}` : "does not answer", tip };
  return { name, kind: "live", text: "answers", tip };
}

/**
 * @param {Health | null} health
 * @returns {Chip[]}
 */
function stageChips(health) {
  if (!health) return ["Worker", "Monitor"].map((name) => ({ name, kind: "", text: "not known yet", tip: "" }));
  const stages = [...new Set(health.stages.map((one) => one.stage))];
  return stages.map((stage) => stageChip(health, stage));
}

/**
 * @param {Health} health
 * @param {string} stage
 * @returns {Chip}
 */
function stageChip(health, stage) {
  const known = isKnown(health);
  const all = processes(health, stage);
  const name = all.length > 1 ? `${capitalized(stage)}s` : capitalized(stage);
  const seenAt = Math.max(...all.map((one) => one.seen_at));
  const tip = all.map(processTip).join("; ");
  if (!seenAt) return { name, kind: known ? "late" : "", text: `not running: ${all[0].command}${backlog(all)}`, tip };
  if (!known) return { name, kind: "", text: `unknown, ${lastSeen(seenAt)}${backlog(all)}`, tip };
  const starting = all.find(starts);
  if (starting) return { name, kind: "late", text: `${starting.state}: ${starting.note}${backlog(all)}`, tip };
  const running = all.filter(runs);
  if (running.length < all.length) {
    const idle = all.find((one) => !runs(one)) ?? all[0];
    const which = all.length > 1 ? `${running.length} of ${all.length} running, ${idle.name} ` : "";
    const how = `${which}${idle.state} for ${since(idle.seen_at)}`;
    return { name, kind: isCalm(health, idle) ? "" : "late", text: how + backlog(all), tip };
  }
  const behind = all.some((one) => one.state === "behind");
  const many = all.length > 1 ? `${all.length} ` : "";
  return { name, kind: behind || !isNow(seenAt) ? "late" : "live", text: `${many}${behind ? "behind" : "running"}, ${seen(seenAt)}${backlog(all)}`, tip };
}

/** @param {StageHealth[]} all */
function backlog(all) {
  const records = all.reduce((sum, one) => sum + total(one), 0);
  return records ? `, ${count(records)} waiting` : "";
}

/** @param {StageHealth} one */
function processTip({ name, seen_at, started_at, version, command }) {
  if (!seen_at) return `${capitalized(name)} has never run on this log; start it: ${command}`;
  return `${capitalized(name)}: last seen ${moment(seen_at)}, started ${moment(started_at)}, version ${version}`;
}
