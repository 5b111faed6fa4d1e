// Is what the page shows the present? One line in the header, told from the heartbeats on the log and from the line itself.

import { byId } from "./dom.js";
import { count, duration } from "./format.js";
import { line, onChange, store } from "./store.js";

const SERVER_S = 15; // it speaks every 5 s
const MONITOR_S = 20; // a heartbeat every 5 s
const WORKER_S = 30;
const UNREAD = 5_000; // with more than this the monitor's figures are of the past

export function startHealth() {
  onChange(showHealth);
  setInterval(showHealth, 1000);
}

export function showHealth() {
  const [kind, text] = health();
  const box = byId("status");
  if (box.textContent === text && box.dataset.kind === kind) return;
  box.dataset.kind = kind;
  box.textContent = text;
}

/** [kind, words]: "lost" without a server, "late" when a stage does not answer, else "live". */
function health() {
  const quiet = (Date.now() - line.heardAt) / 1000;
  if (line.kind === "connecting") return ["", "Connecting"];
  if (line.kind === "lost") return ["lost", "The dashboard does not answer, trying again"];
  if (quiet > SERVER_S) return ["lost", `The dashboard has been silent for ${roughly(quiet)}`];
  const now = Date.now() / 1000 + line.ahead;
  const beat = store.heartbeat;
  if (!beat) return ["late", "No monitor yet; start one: stream-nb monitor"];
  if (now - beat.at > MONITOR_S) return ["late", `Monitor silent for ${roughly(now - beat.at)}; the figures are that old`];
  if (beat.unread > UNREAD) return ["late", `Monitor catching up, ${count(beat.unread)} records to read`];
  const waiting = named([beat.mails_waiting, "mail"], [beat.labels_waiting, "label"]);
  const silent = now - Math.max(beat.worker_at, beat.idle_at);
  if (waiting && silent > WORKER_S) {
    return ["late", `${waiting} waiting, ${beat.worker_at ? `worker silent for ${roughly(silent)}` : "no worker yet; start one: stream-nb worker"}`];
  }
  if (waiting) return ["live", `Live; ${waiting} waiting`];
  if (!store.view?.at) return ["live", "Live; no mail yet"];
  const age = now - store.view.at;
  return ["live", age > 10 ? `Live; last mail or label ${roughly(age)} ago` : "Live"];
}

/** A duration that changes seldom enough to be read out. */
const roughly = (seconds) => duration(seconds < 90 ? 10 * Math.max(1, Math.floor(seconds / 10)) : seconds);

const named = (...counts) =>
  counts.filter(([number]) => number).map(([number, name]) => `${count(number)} ${name}${number === 1 ? "" : "s"}`).join(" and ");
