// Whether the page is up to date: one line on top of every page, derived from the health of log and stages that the
// server reports, and from the connection.

import { connection } from "./connection.js";
import { byId } from "./dom.js";
import { capitalized, count, duration, plural } from "./format.js";
import { serverTime } from "./server_clock.js";
import { constants, store } from "./store.js";

/** @import { Health, StageHealth } from "./page_types.d.ts" */
/** @typedef {{kind: "" | "live" | "late" | "lost", text: string}} Line lost: no server; late: a stage is silent */

let said = "";

/** Update the line. A screen reader announces another state, but not each new age or number. */
export function showLine() {
  const { kind, text } = line();
  const box = byId("status");
  if (box.textContent === text && box.dataset.kind === kind) return;
  const state = kind === "live" ? kind : text.replace(/\d\S*(\u00a0\S+)?/gu, "");
  box.setAttribute("aria-live", state === said ? "off" : "polite");
  said = state;
  box.dataset.kind = kind;
  box.textContent = text;
}

/** @returns {Line} */
function line() {
  if (connection.state === "connecting") return { kind: "", text: "Connecting" };
  if (connection.state === "lost" && connection.refusal) return { kind: "lost", text: `The dashboard refuses this page: ${connection.refusal}` };
  if (connection.state === "lost") return { kind: "lost", text: "The dashboard does not answer, trying again" };
  const silent = (Date.now() - connection.answeredAt) / 1000;
  if (silent > constants().server_silent_s) {
    return { kind: "lost", text: `The dashboard has been silent for ${roughly(silent)}` };
  }
  const { health } = store;
  if (!health) return { kind: "", text: "Connecting" };
  if (!health.log.answers) return { kind: "lost", text: "The log does not answer, trying again" };
  const problem = failing(health) ?? lateMonitor(health) ?? lateWorker(health) ?? lateCombiner(health) ?? died(health) ?? different(health) ?? misplaced();
  return problem ? { kind: "late", text: problem } : live(health);
}

/**
 * The processes of a stage.
 * @param {Health} health
 * @param {string} stage
 */
export const processes = (health, stage) => health.stages.filter((one) => one.stage === stage);

/** @param {StageHealth} one */
export const runs = (one) => one.state === "running" || one.state === "behind";

/** @param {StageHealth} one */
export const starts = (one) => one.state === "starting" || one.state === "restarting";

/**
 * Whether a process that does not run needs no attention: it was stopped, has no backlog, and its stage runs in other
 * processes or is not expected.
 * @param {Health} health
 * @param {StageHealth} idle
 */
export const isCalm = (health, idle) => idle.state === "stopped" && !total(idle)
  && (processes(health, idle.stage).some(runs) || !health.expected.includes(idle.stage));

/**
 * What to say about a process that fails and is restarted, again and again.
 * @param {Health} health
 */
function failing(health) {
  const one = health.stages.find((each) => each.state === "restarting");
  return one ? `${capitalized(one.name)} restarting: ${one.note}` : null;
}

/**
 * What to say about a monitor that does not run or is behind.
 * @param {Health} health
 */
function lateMonitor(health) {
  const monitors = processes(health, "monitor");
  if (monitors.some((one) => one.state === "running")) return lastBeat(monitors);
  const one = monitors.find(runs) ?? monitors[0];
  if (!one) return null;
  if (one.state === "behind") {
    return `Monitor catching up, ${count(total(one))} records to read`;
  }
  if (!one.seen_at) return `No monitor yet; start one: ${one.command}`;
  return `Monitor ${one.state} for ${since(one.seen_at)}; the figures are that old`;
}

/**
 * What to say about workers if none of them runs, or one that does not has partitions that no other has taken over.
 * @param {Health} health
 */
function lateWorker(health) {
  const workers = processes(health, "worker");
  if (!workers.length) return null;
  if (workers.some(runs)) {
    const gone = workers.find((one) => one.is_missed);
    return lastBeat(workers) ?? (gone ? notServed([gone], `${gone.name} ${gone.state} for ${since(gone.seen_at)}`) : null);
  }
  const starting = workers.find((one) => one.state === "starting");
  if (starting) return `Worker starting: ${starting.note}`;
  const seenAt = Math.max(...workers.map((one) => one.seen_at));
  return notServed(workers, seenAt
    ? `worker ${workers[0].state} for ${since(seenAt)}`
    : `no worker yet; start one: ${workers[0].command}`);
}

/**
 * What to say about what waits for workers that do not run.
 * @param {StageHealth[]} workers
 * @param {string} reason
 */
function notServed(workers, reason) {
  const waits = waiting(workers);
  return waits ? `${waits} waiting, ${reason}` : capitalized(reason);
}

/**
 * What to say about a combiner that is expected but does not run.
 * @param {Health} health
 */
function lateCombiner(health) {
  const combiners = processes(health, "combiner");
  if (!health.expected.includes("combiner") || !combiners.length) return null;
  if (combiners.some(runs)) return lastBeat(combiners);
  const seenAt = Math.max(...combiners.map((one) => one.seen_at));
  if (!seenAt) return `No combiner yet; start one: ${combiners[0].command}`;
  return `Combiner ${combiners[0].state} for ${since(seenAt)}; labels of others arrive late`;
}

/**
 * What to say about another stage, such as a filter, whose last process died.
 * @param {Health} health
 */
function died(health) {
  const stage = health.expected.find((name) => !["worker", "monitor", "combiner"].includes(name));
  if (!stage) return null;
  const last = processes(health, stage).reduce((one, other) => (other.seen_at > one.seen_at ? other : one));
  return `${capitalized(stage)} ${last.state} for ${since(last.seen_at)}; start it or read its output: ${last.command}`;
}

/**
 * What to say about workers with different settings, whose scores are not comparable.
 * @param {Health} health
 */
function different(health) {
  if (!health.differences.length) return null;
  return `Workers differ in [learner]: ${health.differences.join(", ")}; start all with the same settings`;
}

/**
 * What to say about labels that no worker can learn.
 */
function misplaced() {
  const labels = store.view?.misplaced_labels;
  if (!labels) return null;
  return `${plural(labels, "label")} not learned: on another partition than the mail; set each producer's partitioner to murmur2, unless partitions were added`;
}

/**
 * What to say about a stage that may run or may have died: the heartbeats of its processes are late.
 * @param {StageHealth[]} all its processes
 */
function lastBeat(all) {
  const seenAt = Math.max(...all.filter(runs).map((one) => one.seen_at));
  return isNow(seenAt) ? null : `${capitalized(all[0].stage)} last seen ${since(seenAt)} ago`;
}

/**
 * Whether a process last seen at `seenAt` can be assumed to run: its next heartbeat is not late yet.
 * @param {number} seenAt
 */
export const isNow = (seenAt) => serverTime() - seenAt < constants().stage_late_s;

/**
 * @param {Health} health
 * @returns {Line}
 */
function live(health) {
  const waits = waiting(processes(health, "worker"));
  if (waits) return { kind: "live", text: `Live; ${waits} waiting` };
  if (!store.view && store.mails.size) return { kind: "late", text: "The monitor's figures cannot be read here; restart it with this page's version" };
  if (!store.view?.timestamp) return { kind: "live", text: "Live; no mail yet" };
  const age = serverTime() - store.view.timestamp;
  return { kind: "live", text: age > 10 ? `Live; last mail or label ${roughly(age)} ago` : "Live" };
}

/**
 * The backlog of these workers in words; empty if there is none.
 * @param {StageHealth[]} workers
 */
function waiting(workers) {
  const backlog = workers.flatMap((one) => one.backlog);
  const records = (/** @type {string} */ topic) =>
    backlog.reduce((sum, each) => sum + (each.topic === topic ? each.records : 0), 0);
  const parts = [];
  if (records("emails")) parts.push(plural(records("emails"), "mail"));
  if (records("labels")) parts.push(plural(records("labels"), "label"));
  return parts.join(" and ");
}

/** @param {StageHealth} one */
export const total = (one) => one.backlog.reduce((sum, each) => sum + each.records, 0);

/**
 * A duration, rounded so that it changes rarely.
 * @param {number} seconds
 */
const roughly = (seconds) => duration(seconds < 90 ? 10 * Math.max(1, Math.floor(seconds / 10)) : seconds);

/**
 * The time elapsed since a timestamp, rounded so that it changes rarely.
 * @param {number} timestamp in seconds since 1970
 */
export const since = (timestamp) => roughly(serverTime() - timestamp);
