// What the server has told: one table of the newest view, curves, mails and history, and who wants to hear of changes.

export const RINGS = { 1: 1800, 60: 1440, 3600: 8760 };
const KEEP_MAILS = 2000;

export const store = {
  view: null,
  curves: null,
  mails: new Map(), // "partition/offset" -> row
  history: { 1: new Map(), 60: new Map(), 3600: new Map() },
  page: { csrf: "", source: "" },
  updatedAt: 0,
};

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
  for (const row of changes.mails) store.mails.set(keyOf(row), row);
  for (const [step, point] of changes.points) store.history[step].set(point[0], point);
  if (store.mails.size > 2 * KEEP_MAILS) forgetOldMails();
  for (const [step, points] of Object.entries(store.history)) {
    if (points.size > 2 * RINGS[step]) {
      const newest = Math.max(...points.keys());
      for (const at of points.keys()) if (at <= newest - Number(step) * RINGS[step]) points.delete(at);
    }
  }
  store.updatedAt = Date.now();
  for (const listener of listeners) listener(changes);
}

function forgetOldMails() {
  const newestFirst = [...store.mails.values()].sort((a, b) => b.arrived_at - a.arrived_at);
  for (const row of newestFirst.slice(KEEP_MAILS)) store.mails.delete(keyOf(row));
}

/** Load everything, then listen; a lost connection comes back by itself and goes on where it was. */
export async function connect(status) {
  try {
    const answer = await fetch("api/state");
    if (!answer.ok) throw new Error(await answer.text());
    const { page, changes } = await answer.json();
    store.page = page;
    apply(changes);
    listen(page.id, status);
  } catch (error) {
    status("lost", "No answer, trying again");
    setTimeout(() => connect(status), 2000);
  }
}

function listen(id, status) {
  const source = new EventSource(`events?since=${encodeURIComponent(id)}`);
  source.onopen = () => { status("live", "Live"); refreshPage(); };
  source.onerror = () => {
    status("lost", "Connection lost, trying again");
    if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(status), 2000);
  };
  source.onmessage = (event) => { status("live", "Live"); apply(JSON.parse(event.data)); };
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
