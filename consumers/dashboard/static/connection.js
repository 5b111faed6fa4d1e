// The connection to the server: first the complete state, then events. A lost connection is reopened automatically.

import { ask, failed, NO_ANSWER, parse, refreshPage } from "./api.js";
import { serverClock } from "./server_clock.js";
import { applyChanges, constants, forgetAll, store } from "./store.js";

/** @import { PageState } from "./page_types.d.ts" */
/** @import { Changes, Failure } from "./answer_types.d.ts" */
/** @typedef {"connecting" | "open" | "lost"} ConnectionState */

const RETRY_MS = 2_000;
const PATIENCE_MS = 30_000; // a connection that a router has forgotten never answers

/**
 * When the server last sent anything (local clock, ms), why it refuses the page (empty: it does not, or does not answer),
 * and the part of an event id that is drawn anew when a server starts, and when its log was created anew.
 */
export const connection = { state: /** @type {ConnectionState} */ ("connecting"), answeredAt: 0, refusal: "", serverStart: "" };

let started = () => {};
let changed = () => {};

/**
 * Load everything, then listen; after a lost connection resume where it stopped.
 * @param {() => void} onStart called once, when the first state has arrived and before it is shown
 * @param {() => void} onState called when `connection` has changed
 */
export function connect(onStart, onState) {
  started = onStart;
  changed = onState;
  load();
}

async function load() {
  /** @type {{page: PageState, changes: Changes} | Failure} */
  const state = await ask("api/state", {}, PATIENCE_MS);
  connection.refusal = failed(state) && state.error !== NO_ANSWER ? state.error.trim() : "";
  if (failed(state)) {
    retry();
    return;
  }
  const first = store.page === null;
  store.page = state.page;
  serverClock.ahead = state.page.server_time - Date.now() / 1000; // before the first figures are drawn
  if (first) started();
  follow(state.page.event_id);
  applyChanges(state.changes);
  listen(state.page.event_id);
}

function retry() {
  setState("lost");
  setTimeout(load, RETRY_MS);
}

/** @param {ConnectionState} state */
function setState(state) {
  connection.state = state;
  changed();
}

/**
 * Listen while the page can be seen. Over HTTP/1.1 a browser opens six connections to a server at most, for all tabs: if
 * hidden tabs held theirs, no further page would load.
 * @param {string} eventId event id from which to resume the event stream
 */
function listen(eventId) {
  if (document.hidden) {
    setState("connecting");
    document.addEventListener("visibilitychange", () => listen(eventId), { once: true });
    return;
  }
  let newest = eventId;
  const source = new EventSource(`events?since=${encodeURIComponent(eventId)}`);
  let ahead = -Infinity;
  const answered = () => { connection.answeredAt = Date.now(); setState("open"); };
  const hide = () => { close(); listen(newest); };
  const close = () => {
    clearInterval(guard);
    source.close();
    document.removeEventListener("visibilitychange", hide);
  };
  const giveUp = () => { close(); retry(); };
  const guard = setInterval(() => {
    if (Date.now() - connection.answeredAt > 1000 * constants().reconnect_s) giveUp();
  }, 1000);
  document.addEventListener("visibilitychange", hide);
  connection.answeredAt = Date.now();
  source.onopen = refreshPage;
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) giveUp(); else setState("lost"); };
  source.addEventListener("server_time", (event) => {
    // What arrived with the least delay tells the time. Much older events have waited on a slow link, unless the local
    // clock was set: a new connection has only the newest figures to send, and tells the time anew.
    const seen = Number(event.data) - Date.now() / 1000;
    if (seen < ahead - constants().server_silent_s) {
      close();
      setState("connecting");
      load();
      return;
    }
    ahead = Math.max(ahead, seen);
    serverClock.ahead = ahead;
    answered();
  });
  source.onmessage = (event) => {
    newest = event.lastEventId;
    follow(newest);
    applyChanges(parse(event.data));
    answered();
  };
}

/**
 * Forget what another start of the server, or of its log, has sent: everything is sent again.
 * @param {string} eventId of what is to be applied
 */
function follow(eventId) {
  const [start] = eventId.split("-");
  if (connection.serverStart && start !== connection.serverStart) forgetAll();
  connection.serverStart = start;
}
