// Which mails are listed, and in which order.

import { placeKey } from "../store.js";
import { distance } from "./mail_item.js";
import { isFound, knownMails } from "./search.js";

/** @import { MailRow } from "../types.d.ts" */

/** @typedef {"all" | "unsure" | "errors" | "audit"} Show */
/** @typedef {{show: Show, label: string, q: string}} Filter `label` as predicted; `q`: words, see `hasWords` */

/** @type {[Show, string][]} */
export const FILTERS = [["all", "Newest"], ["unsure", "Unsure first"], ["errors", "Errors"], ["audit", "Audit"]];

/**
 * The filter in an address.
 * @param {URLSearchParams} query
 * @returns {Filter}
 */
export function readFilter(query) {
  const show = FILTERS.find(([name]) => name === query.get("show"))?.[0] ?? "all";
  return { show, label: query.get("label") ?? "", q: query.get("q") ?? "" };
}

/**
 * The mails that match a filter, in the order of the list.
 * @param {Filter} filter
 */
export function filterMails({ show, label, q }) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...knownMails().values()].filter((row) =>
    (show !== "unsure" || row.true_label === null) &&
    (show !== "errors" || (row.true_label !== null && row.true_label !== row.label)) &&
    (show !== "audit" || row.audit) &&
    (!label || row.label === label) &&
    (isFound(placeKey(row.place)) || hasWords(row, words)));
  if (show === "unsure") return rows.sort((a, b) => distance(a) - distance(b));
  return rows.sort((a, b) => b.arrived_at - a.arrived_at || b.place.offset - a.place.offset);
}

/**
 * Whether each of the words is in the mail's subject, sender or id, or in the source of its label, as in the server's search.
 * @param {MailRow} row
 * @param {string[]} words in lower case
 */
function hasWords({ subject, sender, id, source }, words) {
  const texts = `${subject}\n${sender}\n${id}\n${source}`.toLowerCase();
  return words.every((word) => texts.includes(word));
}
