// What the server has told: one table of the newest view, curves, mails and history, and who wants to hear of changes.

export const RINGS = { 1: 1800, 60: 1440, 3600: 8760 };
const KEEP_MAILS = 2000;

export const store = {
  view: null,
  curves: null,
  heartbeat: null,
  mails: new Map(), // "partition/offset" -> row
  history: { 1: new Map(), 60: new Map(), 3600: new Map() },
  page: { csrf: "", source: "" },
};

/** The line to the server: whether it is up, when it last said anything (this clock, ms), how far its clock is ahead (s). */
export const line = { kind: "connecting", heardAt: 0, ahead: 0 };
const SILENCE_MS = 30_000; // after which the line is given up and another one opened: the server speaks every 5 s

const listeners = [];

/** Call `listener(changes)` after each batch of changes. */
export function onChange(listener) {
  listeners.push(listener);
}

export const keyOf = (row) => `${row.place[0]}/${row.place[1]}`;

/** Take in changes as the server sends them. */
export function apply(changes) {
  if (changes.view) store.view = changes.view;
  if (changes.curves) store.curves = changes.curves;
  if (changes.heartbeat) store.heartbeat = changes.heartbeat;
  for (const row of changes.mails) store.mails.set(keyOf(row), row);
  for (const [step, point] of changes.points) store.history[step].set(point[0], point);
  if (store.mails.size > 2 * KEEP_MAILS) forgetOldMails();
  for (const [step, points] of Object.entries(store.history)) {
    if (points.size > 2 * RINGS[step]) {
      const newest = Math.max(...points.keys());
      for (const at of points.keys()) if (at <= newest - Number(step) * RINGS[step]) points.delete(at);
    }
  }
  for (const listener of listeners) listener(changes);
}

function forgetOldMails() {
  const newestFirst = [...store.mails.values()].sort((a, b) => b.arrived_at - a.arrived_at);
  for (const row of newestFirst.slice(KEEP_MAILS)) store.mails.delete(keyOf(row));
}

/** Load everything, then listen; a lost line comes back by itself and goes on where it was. `changed` hears of `line`. */
export async function connect(changed) {
  const set = (kind) => { line.kind = kind; changed(); };
  const again = () => { set("lost"); setTimeout(() => connect(changed), 2000); };
  try {
    const answer = await fetch("api/state");
    if (!answer.ok) throw new Error(await answer.text());
    const { page, changes } = await answer.json();
    store.page = page;
    apply(changes);
    listen(page.id, set, again);
  } catch {
    again();
  }
}

function listen(id, set, again) {
  const source = new EventSource(`events?since=${encodeURIComponent(id)}`);
  const heard = () => { line.heardAt = Date.now(); set("open"); };
  const guard = setInterval(() => { if (Date.now() - line.heardAt > SILENCE_MS) giveUp(); }, 1000);
  const giveUp = () => { clearInterval(guard); source.close(); again(); };
  line.heardAt = Date.now();
  source.onopen = refreshPage;
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) giveUp(); else set("lost"); };
  source.addEventListener("here", (event) => { line.ahead = Number(event.data) - Date.now() / 1000; heard(); });
  source.onmessage = (event) => { apply(JSON.parse(event.data)); heard(); };
}

/** The server may have been started again: its key for posts is then another one. */
async function refreshPage() {
  const page = await ask("api/page");
  if (!page.error) store.page = page;
}

/** Ask the server; the answer's values, or {error} with what went wrong, in words. */
export async function ask(path) {
  try {
    const answer = await fetch(path);
    const text = await answer.text();
    return answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : { error: text };
  } catch {
    return { error: "The server does not answer." };
  }
}

/** Post JSON with the page's key; returns the answer, or throws an Error with what the server said. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Stream-NB": store.page.csrf },
    body: JSON.stringify(body),
  });
  if (answer.ok) return answer.json();
  const text = await answer.text();
  let said = text;
  try { said = JSON.parse(text).error; } catch { /* plain text */ }
  throw new Error(said);
}
