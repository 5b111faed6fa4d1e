// The page "Ask me these": the mails whose labels would teach the model most, and what such labels have taught so far.

import { ask, failed, isLost } from "../api.js";
import { fullName } from "../class_names.js";
import { byId, el, emptyNote, morph } from "../dom.js";
import { count, fixed, percent, plural } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { listenKeys } from "../mail/keys.js";
import { MailItem } from "../mail/mail_item.js";
import { MailList } from "../mail/mail_list.js";
import { poll } from "../poll.js";
import { address, drawOn, go } from "../router.js";
import { onChange, placeKey, store } from "../store.js";
import { term } from "../tip.js";

/** @import { AskList, AskedMail, Failure, LabelGains } from "../answer_types.d.ts" */
/** @import { MailRow } from "../types.d.ts" */

const REFRESH_MS = 10_000;
const list = new MailList("ask-mails");

export function startAsk() {
  const card = byId("ask-card");
  byId("ask-next").addEventListener("click", showNext);
  list.start();
  listenKeys(card, list, open);
  // The list is not replaced while somebody works in it.
  const inUse = () => list.items.size > 0 && (card.contains(document.activeElement) || card.matches(":hover"));
  poll("ask", REFRESH_MS, () => refresh(inUse), inUse);
  drawOn("ask", showAudit)();
  onChange(showAudit);
}

/** @param {MouseEvent} event of the button, which disappears when no mail is left */
async function showNext({ detail }) {
  await refresh(() => false);
  if (!detail) ([...list.items.values()][0]?.subject ?? byId("no-ask")).focus(); // the keys of the list work on
}

/** @param {() => boolean} isHeld whether the list must stay as it is, asked again when the answer has come */
async function refresh(isHeld) {
  /** @type {AskList | Failure} */
  const answer = await ask("api/ask");
  if (isHeld() || (isLost(answer) && list.items.size)) return answer; // the health strip says that an answer is lost
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
  list.items.clear();
  for (const mail of mails) {
    const key = placeKey(mail.row.place);
    const item = new MailItem(store.mails.get(key) ?? mail.row, open, mail.label);
    item.update(item.row);
    item.select(key === list.selected);
    item.element.querySelector(".text")?.append(el("span", { class: "meta", title: GLOSSARY.Lead }, ...reason(mail)));
    list.items.set(key, item);
  }
  byId("ask-mails").replaceChildren(...[...list.items.values()].map((item) => item.element));
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
  list.select(key);
  go(address("mail", { mail: key, id: row.id }));
}
