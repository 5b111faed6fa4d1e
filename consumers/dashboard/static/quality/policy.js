// The policy: the one in force, a preview of a proposed one, and the button that applies it to new mail.

import { ask, failed, post } from "../api.js";
import { effect, positiveCounts } from "../classes.js";
import { byId, el, elementOf, morph, toast } from "../dom.js";
import { count, logOdds, moment, percent, plural } from "../format.js";
import { poll } from "../poll.js";
import { store } from "../store.js";

/** @import { Failure } from "../answer_types.d.ts" */
/** @import { PolicyChange, PolicyPreview, PolicyState, PolicyValues, PreviewCounts } from "./policy_types.d.ts" */

const WAIT_MS = 250; // pause after the slider has moved
const REFRESH_MS = 10_000;
const SHOWN_CHANGES = 8;
/** @type {PolicyState | null} */
let state = null;
/** @type {PolicyValues | null} the policy proposed with the controls; null: none */
let proposal = null;
let timer = 0;
let expire = () => {};
let redraw = () => {};

/** @param {() => void} draw called when the proposal has changed */
export function startPolicy(draw) {
  redraw = draw;
  byId("policy-lose").addEventListener("input", proposeLosing);
  byId("policy-unsure").addEventListener("input", () => propose({ unsure: field("policy-unsure").valueAsNumber || 0 })); // empty: NaN
  byId("policy-apply").addEventListener("click", apply);
  byId("policy-back").addEventListener("click", back);
  expire = poll("quality", REFRESH_MS, refresh);
}

/** The proposed threshold; null: none. */
export const proposedThreshold = () => (proposal && proposal.lose_at_most === null ? proposal.threshold : null);

/**
 * Propose another threshold, which replaces the other ways to decide.
 * @param {number} threshold in log-odds
 */
export function proposeThreshold(threshold) {
  field("policy-lose").value = "";
  propose({ threshold, lose_at_most: null, false_positive_cost: 1 });
}

/** @param {string} id */
const field = (id) => elementOf(id, HTMLInputElement);

function proposeLosing() {
  const share = field("policy-lose").valueAsNumber / 100;
  propose(Number.isNaN(share) ? { lose_at_most: null } : { lose_at_most: share, false_positive_cost: 1 });
}

/** @param {Partial<PolicyValues>} changed */
function propose(changed) {
  if (!state) return;
  proposal = { ...(proposal ?? state.in_force), ...changed };
  clearTimeout(timer);
  const wrong = ["policy-lose", "policy-unsure"].map(field).find(({ validity }) => validity.rangeUnderflow || validity.rangeOverflow);
  elementOf("policy-apply", HTMLButtonElement).disabled = Boolean(wrong);
  if (!wrong) timer = setTimeout(preview, WAIT_MS);
  byId("policy-preview").textContent = wrong
    ? `${wrong.value} is not in the range of “${wrong.labels?.[0].textContent?.trim()}”: ${wrong.min} to ${wrong.max}.`
    : "Trying it on the last labelled mails…";
  show();
  redraw();
}

/** @param {MouseEvent} event */
function back({ detail }) {
  proposal = null;
  clearTimeout(timer);
  finish(detail);
}

/**
 * Show what is in force now. The button that was pressed disappears; if it was with a key, the first field has the focus.
 * @param {number} clicks of the mouse
 */
function finish(clicks) {
  show();
  redraw();
  if (!clicks) field("policy-lose").focus();
}

async function refresh() {
  const before = state;
  /** @type {PolicyState | Failure} */
  const answer = await ask("api/policy");
  if (failed(answer) || state !== before) return answer; // a change made here meanwhile is newer
  state = answer;
  for (const id of ["threshold", "policy-unsure", "policy-lose"]) field(id).disabled = false;
  show();
  return answer;
}

async function preview() {
  const asked = proposal;
  if (!asked) return;
  const { lose_at_most, ...others } = asked;
  const query = lose_at_most === null ? others : { ...others, lose_at_most };
  /** @type {PolicyPreview | Failure} */
  const answer = await ask("api/policy/preview", query);
  if (proposal !== asked) return;
  byId("policy-preview").textContent = failed(answer) ? answer.error : previewText(answer);
}

/** @param {PolicyPreview} preview */
function previewText({ threshold, mails, since, changed, before, after }) {
  const { view } = store;
  if (!mails || since === null || !view) return "No labelled mail to try it on yet.";
  return `Above ${logOdds(threshold)}, of the last ${plural(mails, "labelled mail")} (since ${moment(since)}): `
    + `${effect(view, positiveCounts(after.confusion, view.positive))} `
    + `Lost is at most ${percent(after.lost_at_most)}, with 95 % confidence. `
    + `${count(changed)} would have been predicted differently: wrong ${arrow(before, after, "wrong")}, `
    + `unsure ${arrow(before, after, "unsure")}.`;
}

/**
 * @param {PreviewCounts} before
 * @param {PreviewCounts} after
 * @param {"wrong" | "unsure"} name
 */
const arrow = (before, after, name) => `${count(before[name])} → ${count(after[name])}`;

/** @param {MouseEvent} event */
function apply({ detail }) {
  if (proposal) change("api/policy", { policy: proposal }, "Applied to new mail; earlier predictions stay.", detail);
}

/**
 * @param {string} path
 * @param {object} body
 * @param {string} done message to show on success
 * @param {number} clicks see `finish`
 */
async function change(path, body, done, clicks) {
  const buttons = [...document.querySelectorAll("#policy button")].filter((one) => one instanceof HTMLButtonElement);
  for (const button of buttons) button.disabled = true;
  const before = proposal;
  /** @type {PolicyState | Failure} */
  const answer = await post(path, body);
  if (failed(answer)) {
    toast(`Not changed: ${answer.error}`);
    expire(); // somebody else may have changed it
  } else {
    state = answer;
    if (proposal === before) proposal = null; // else it was made meanwhile
    toast(done);
  }
  for (const button of buttons) button.disabled = false;
  finish(clicks);
}

function show() {
  if (!state) return;
  const { in_force, changes } = state;
  byId("policy-proposal").hidden = proposal === null;
  const values = proposal ?? in_force;
  showNumber("policy-unsure", values.unsure || null);
  showNumber("policy-lose", values.lose_at_most === null ? null : 100 * values.lose_at_most);
  const newest = changes[0];
  const who = newest ? [", by ", el("bdi", {}, newest.source), `, ${moment(newest.timestamp)}`] : [", from the settings"];
  byId("policy-in-force").replaceChildren(`In force: ${describe(in_force)}`, ...who, ".");
  const undo = (/** @type {MouseEvent} */ { detail }) => { // the second click of two would redo the change
    if (detail < 2) change("api/policy/undo", { offset: newest?.offset }, "The change is undone for new mail.", detail);
  };
  const holder = byId("policy-changes");
  const drawn = newest ? String(newest.offset) : "";
  if (holder.dataset.newest === drawn) return;
  holder.dataset.newest = drawn;
  holder.replaceChildren(...(newest ? [el("button", { type: "button", id: "policy-undo", onclick: undo }, "Undo this change"), changeList(changes)] : []));
}

/** @param {PolicyChange[]} changes */
function changeList(changes) {
  const list = el("ol", { class: "plain" });
  morph(list, changes.slice(0, SHOWN_CHANGES).map(({ policy, source, timestamp }) => el("li", {},
    `${moment(timestamp)}: `, el("bdi", {}, source), ` set ${policy ? describe(policy) : "the values of the settings"}`)));
  return el("details", {}, el("summary", {}, "Changes"), list);
}

/**
 * Set a field, unless somebody is typing in it.
 * @param {string} id
 * @param {number | null} value
 */
function showNumber(id, value) {
  if (field(id) !== document.activeElement) field(id).value = value === null ? "" : String(Number(value.toPrecision(6)));
}

/**
 * The values that decide; with a cost, the threshold is only where the unsure band is.
 * @param {PolicyValues} values
 */
function describe({ threshold, lose_at_most, false_positive_cost, unsure }) {
  const byCost = false_positive_cost !== 1;
  const above = lose_at_most === null ? `threshold ${logOdds(threshold)}` : `lose at most ${percent(lose_at_most, 2)}`;
  const band = unsure ? `, unsure within ${unsure}${byCost ? ` of threshold ${logOdds(threshold)}` : ""}` : "";
  return (byCost ? `cost of a lost mail ${false_positive_cost}` : above) + band;
}
