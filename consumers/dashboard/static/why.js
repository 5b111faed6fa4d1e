// Why a mail scored as it did: the server's copy of the model is asked when a mail is chosen.

import { byId, el } from "./dom.js";
import { ago, count, odds, percent } from "./format.js";
import { ask, keyOf, onChange } from "./store.js";

const scores = new Map(); // "partition/offset@learned_at" -> log-odds under the model that has learned
const KEEP = 500;
const MOST_FLIPS = 12;
let chosen = null; // key of the mail explained
let explainedAt = 0; // its learned_at when it was explained

export function startWhy(redraw) {
  onChange((changes) => {
    for (const row of changes.mails) {
      const key = keyOf(row);
      if (followed.has(key) && row.learned_at && row.learned_at !== followed.get(key)) {
        followed.set(key, row.learned_at);
        fetchScore(row).then(() => redraw(key));
      }
      if (key === chosen && row.learned_at !== explainedAt) explain(row);
    }
  });
}

const followed = new Map(); // mails labelled from this page: their score is asked again once they are learned

/** From now on show the score before and after for this mail. */
export function follow(row) {
  followed.set(keyOf(row), row.learned_at);
}

/** The mail's log-odds under the model that has learned it; null while that is not known. */
export function rescored(row) {
  return scores.get(`${keyOf(row)}@${row.learned_at}`) ?? null;
}

async function fetchScore(row) {
  const said = await ask(`api/score?place=${keyOf(row)}`);
  if (!said.error) remember(row, said.log_odds);
}

function remember(row, value) {
  scores.set(`${keyOf(row)}@${row.learned_at}`, value);
  if (scores.size > KEEP) scores.delete(scores.keys().next().value);
}

/** Show why a mail scores as it does. */
export async function explain(row) {
  const key = keyOf(row);
  const first = chosen !== key;
  chosen = key;
  explainedAt = row.learned_at;
  if (first) byId("why-body").replaceChildren(el("p", { class: "empty" }, "Asking the model…"));
  const why = await ask(`api/why?place=${key}`);
  if (chosen !== key) return;
  byId("why-body").replaceChildren(...(why.error ? [el("p", { class: "empty" }, why.error)] : panel(row, why)));
  if (first && matchMedia("(max-width: 860px)").matches) byId("why").scrollIntoView({ block: "start" });
}

function panel(row, why) {
  const call = why.log_odds > row.threshold;
  return [
    el("p", { class: "why-subject" }, el("bdi", {}, why.subject || "(no subject)")),
    el("p", { class: "muted small" }, el("bdi", {}, why.sender || "unknown sender"), ` · ${ago(row.arrived_at)} · ${row.labels_learned ? `scored when ${count(row.labels_learned)} labels were learned` : "scored before any label"}`),
    el("dl", { class: "facts tight" },
      el("dt", {}, "On arrival"), el("dd", {}, `${odds(row.odds)} · ${percent(row.probability, 1)} ${why.positive}`),
      el("dt", {}, "With today's model"), el("dd", { id: "why-odds" }, `${odds(why.log_odds)} · ${percent(why.probability, 1)} ${why.positive}`),
      ...Object.entries(why.if_labelled).flatMap(([label, value]) => [el("dt", {}, `If you call it ${label}`), el("dd", {}, odds(value))])),
    why.update ? el("p", { class: "small" }, "Learned as ", el("b", {}, why.update.label), why.update.weight ? ` from ${why.update.source}, counting ${why.update.weight.toFixed(2)} of a mail.` : ` from ${why.update.source}; the filter was sure of it, so nothing had to be added.`) : null,
    why.votes.length > 1 ? el("p", { class: "small muted" }, `Said: ${why.votes.map((one) => `${one.source}: ${one.label ?? "no label"}`).join(", ")}`) : null,
    flips(why, call),
    terms(why),
    why.preview ? el("details", {}, el("summary", {}, "Text of the mail"), el("p", { class: "small muted" }, el("bdi", {}, why.preview))) : null,
  ].filter((node) => node !== null);
}

function flips(why, positive) {
  if (!why.flip.length) return null;
  const otherwise = `it would ${positive ? "not " : ""}be ${why.positive}`;
  if (why.flip.length > MOST_FLIPS) return el("p", { class: "small muted" }, `No few words decide: only without its ${count(why.flip.length)} strongest ${otherwise}.`);
  return el("p", { class: "small" }, `Without ${why.flip.length === 1 ? "this" : "these"} ${otherwise}: `, why.flip.flatMap((text) => [el("code", {}, text), " "]));
}

function terms(why) {
  const most = Math.max(...why.terms.map((term) => Math.abs(term.weight)), 1e-9);
  const rows = why.terms.map((term) => {
    const bar = el("i", { class: `share ${term.weight > 0 ? "positive" : "negative"}` });
    bar.style.width = `${(50 * Math.abs(term.weight)) / most}%`;
    return el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, term.text)), el("td", { class: "bars" }, bar),
      el("td", {}, odds3(term.weight)), why.classes.map((label) => el("td", { class: "muted" }, counts(term.counts[label]))));
  });
  const sum = why.terms.reduce((total, term) => total + term.weight, 0) + why.rest.weight + why.bias;
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Evidence" }, el("table", { class: "terms" },
    el("caption", {}, "Each word's share of the log-odds; counts in mails learned"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Word"), el("th", { scope: "col" }, el("span", { class: "hidden" }, "Share")), el("th", { scope: "col" }, "Adds"), why.classes.map((label) => el("th", { scope: "col" }, label)))),
    el("tbody", {}, rows,
      why.rest.terms ? el("tr", { class: "rest" }, el("th", { scope: "row" }, `${count(why.rest.terms)} others`), el("td"), el("td", {}, odds3(why.rest.weight)), why.classes.map(() => el("td"))) : null),
    el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "Sum"), el("td"), el("td", { id: "why-sum" }, odds3(sum)), why.classes.map(() => el("td"))))));
}

const odds3 = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
export const counts = (value) => (value === undefined ? "–" : value < 10 && value % 1 ? value.toFixed(1) : count(value));
