// Is what the page shows up to date? One line in the header, from the heartbeats on the log and from the connection.

import { connection } from "./connection.js";
import { byId } from "./dom.js";
import { count, duration, plural } from "./format.js";
import { constants, onChange, store } from "./store.js";

/** @import { Heartbeat } from "./types.js" */
/** @typedef {{kind: "" | "live" | "late" | "lost", text: string}} Health lost: no server; late: a stage is silent */

export function startHealth() {
  onChange(showHealth);
  setInterval(showHealth, 1000);
}

export function showHealth() {
  const { kind, text } = health();
  const box = byId("status");
  if (box.textContent === text && box.dataset.kind === kind) return;
  box.dataset.kind = kind;
  box.textContent = text;
}

/** @returns {Health} */
function health() {
  if (connection.state === "connecting") return { kind: "", text: "Connecting" };
  if (connection.state === "lost") return { kind: "lost", text: "The dashboard does not answer, trying again" };
  const silent = (Date.now() - connection.heardAt) / 1000;
  if (silent > constants().server_silent_s) {
    return { kind: "lost", text: `The dashboard has been silent for ${roughly(silent)}` };
  }
  const now = Date.now() / 1000 + connection.clockAhead;
  if (!store.heartbeat) return { kind: "late", text: "No monitor yet; start one: stream-nb monitor" };
  return lateStage(store.heartbeat, now) ?? live(store.heartbeat, now);
}

/**
 * @param {Heartbeat} heartbeat
 * @param {number} now
 * @returns {Health | null}
 */
function lateStage(heartbeat, now) {
  const age = now - heartbeat.timestamp;
  if (age > constants().monitor_silent_s) {
    return { kind: "late", text: `Monitor silent for ${roughly(age)}; the figures are that old` };
  }
  if (heartbeat.unread > constants().max_unread) {
    return { kind: "late", text: `Monitor catching up, ${count(heartbeat.unread)} records to read` };
  }
  const silent = now - Math.max(heartbeat.worker_at, heartbeat.idle_at);
  const waits = waiting(heartbeat);
  if (!waits || silent <= constants().worker_silent_s) return null;
  const worker = heartbeat.worker_at
    ? `worker silent for ${roughly(silent)}`
    : "no worker yet; start one: stream-nb worker";
  return { kind: "late", text: `${waits} waiting, ${worker}` };
}

/**
 * @param {Heartbeat} heartbeat
 * @param {number} now
 * @returns {Health}
 */
function live(heartbeat, now) {
  const waits = waiting(heartbeat);
  if (waits) return { kind: "live", text: `Live; ${waits} waiting` };
  if (!store.view?.timestamp) return { kind: "live", text: "Live; no mail yet" };
  const age = now - store.view.timestamp;
  return { kind: "live", text: age > 10 ? `Live; last mail or label ${roughly(age)} ago` : "Live" };
}

/** @param {Heartbeat} heartbeat */
function waiting({ mails_waiting, labels_waiting }) {
  const parts = [];
  if (mails_waiting) parts.push(plural(mails_waiting, "mail"));
  if (labels_waiting) parts.push(plural(labels_waiting, "label"));
  return parts.join(" and ");
}

/**
 * A duration that changes seldom enough to be read out by a screen reader.
 * @param {number} seconds
 */
const roughly = (seconds) => duration(seconds < 90 ? 10 * Math.max(1, Math.floor(seconds / 10)) : seconds);
