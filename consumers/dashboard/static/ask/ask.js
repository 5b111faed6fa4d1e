// The page "Ask me these": the mails whose labels would teach the model most, and what such labels have taught so far.

import { ask, failed, isLost } from "../api.js";
import { fullName } from "../class_names.js";
import { onClasses } from "../classes.js";
import { byId, el, emptyNote, morph } from "../dom.js";
import { count, fixed, percent, plural } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { listenKeys } from "../mail/keys.js";
import { onLabel } from "../mail/labels.js";
import { MailItem } from "../mail/mail_item.js";
import { poll } from "../poll.js";
import { address, drawOn, go } from "../router.js";
import { onChange, placeKey, store } from "../store.js";
import { term } from "../tip.js";

/** @import { AskList, AskedMail, Failure, LabelGains } from "../answer_types.d.ts" */
/** @import { MailRow } from "../types.d.ts" */

const REFRESH_MS = 10_000;
/** @type {string | null} key of the selected mail */
let selected = null;
/** @type {Map<string, MailItem>} the items of the list, by place */
const items = new Map();

export function startAsk() {
  const card = byId("ask-card");
  byId("ask-next").addEventListener("click", showNext);
  listenKeys(card, { move, select, chosen: () => items.get(selected ?? "")?.row, why: open });
  // The list is not replaced while somebody works in it.
  const inUse = () => items.size > 0 && (card.contains(document.activeElement) || card.matches(":hover"));
  poll("ask", REFRESH_MS, () => refresh(inUse), inUse);
  drawOn("ask", showAudit)();
  onLabel(redraw);
  onClasses(() => { for (const item of items.values()) item.update(item.row); });
  onChange((changes) => {
    for (const row of changes.mails) redraw(row);
    for (const item of items.values()) item.showAge();
    showAudit();
  });
}

/** @param {MailRow} row */
const redraw = (row) => items.get(placeKey(row.place))?.update(row);

/** @param {MouseEvent} event of the button, which disappears when no mail is left */
async function showNext({ detail }) {
  await refresh(() => false);
  if (!detail) ([...items.values()][0]?.subject ?? byId("no-ask")).focus(); // the keys of the list work on
}

/** @param {() => boolean} isHeld whether the list must stay as it is, asked again when the answer has come */
async function refresh(isHeld) {
  /** @type {AskList | Failure} */
  const answer = await ask("api/ask");
  if (isHeld() || (isLost(answer) && items.size)) return answer; // the health strip says that an answer is lost
  byId("no-ask").hidden = !failed(answer) && answer.mails.length > 0;
  byId("ask-next").hidden = failed(answer) || !answer.mails.length;
  byId("no-ask").textContent = failed(answer) ? answer.error : "No mail is waiting for a label.";
  byId("ask-gain").replaceChildren(...(failed(answer) ? [] : gain(answer)));
  byId("ask-cards").hidden = false; // all at once, so that the layout does not shift
  if (!failed(answer)) show(answer.mails);
  return answer;
}

/** @param {AskedMail[]} mails */
function show(mails) {
  items.clear();
  for (const mail of mails) {
    const key = placeKey(mail.row.place);
    const item = new MailItem(store.mails.get(key) ?? mail.row, open, mail.label);
    item.update(item.row);
    item.select(key === selected);
    item.element.querySelector(".text")?.append(el("span", { class: "meta", title: GLOSSARY.Lead }, ...reason(mail)));
    items.set(key, item);
  }
  byId("ask-mails").replaceChildren(...[...items.values()].map((item) => item.element));
}

/** @param {AskedMail} mail */
function reason({ label, margin, runner_up, known, unseen }) {
  const fresh = unseen ? ` · ${percent(unseen / (known + unseen), 0)} new words` : "";
  if (margin === null) return [`the model knows fewer than two classes${fresh}`];
  return ["now ", el("bdi", {}, fullName(label ?? "")), `, ${fixed(margin)} ahead of `, el("bdi", {}, fullName(runner_up ?? "")), fresh];
}

/**
 * What the labels of mails like these have taught, compared with all others.
 * @param {AskList} answer
 */
function gain({ unlabelled, uncertain, gains, other_gains }) {
  const waiting = !unlabelled ? "" : `${count(uncertain)} of the latest ${plural(unlabelled, "mail")} without a label ${uncertain === 1 ? "was" : "were"} uncertain on arrival. `;
  if (!gains.labels) return [waiting, "No such mail has been labelled yet."];
  return [
    waiting,
    `${plural(gains.labels, "label")} of such mails ${corrected(gains)} and `, term("taught", GLOSSARY.Taught),
    ` ${fixed(gains.taught / gains.labels)} of a mail each`,
    other_gains.labels ? `; the other ${count(other_gains.labels)} ${corrected(other_gains)} and taught ${fixed(other_gains.taught / other_gains.labels)}.` : ".",
  ];
}

/** @param {LabelGains} gains */
const corrected = ({ labels, corrected: wrong }) => `corrected the filter ${plural(wrong, "time")} (${percent(wrong / labels, 1)})`;

/** The state of the audit, whose mails are drawn at random. */
function showAudit() {
  const { view } = store;
  if (!view) return;
  const { per_hour, drawn, labelled } = view.audit;
  morph(byId("ask-audit"), ...(per_hour || drawn
    ? [el("p", {}, `${plural(per_hour, "mail")} an hour, ${count(drawn)} drawn, ${count(labelled)} labelled. `, el("a", { href: address("mail", { show: "audit" }) }, "Label them"))]
    : [emptyNote("The audit is off."), el("p", { class: "note" }, "Turn it on with ", el("code", {}, "STREAM_NB_MONITOR_AUDIT_PER_HOUR=5 stream-nb monitor"), ".")]));
}

/**
 * Show the mail on its page, with the words behind its score.
 * @param {MailRow} row
 */
function open(row) {
  const key = placeKey(row.place);
  select(key);
  go(address("mail", { mail: key, id: row.id }));
}

/** @param {string} key */
function select(key) {
  if (selected !== null) items.get(selected)?.select(false);
  selected = key;
  items.get(key)?.select(true);
}

/** @param {number} by number of mails to move down the list */
function move(by) {
  const keys = [...items.keys()];
  const next = keys[Math.max(0, Math.min(keys.length - 1, keys.indexOf(selected ?? "") + by))];
  const item = items.get(next);
  if (!item) return;
  select(next);
  item.subject.focus();
}
