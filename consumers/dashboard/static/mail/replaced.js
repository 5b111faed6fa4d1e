// Whether the log of the mails in the list has been replaced by another one.

import { connection } from "../connection.js";
import { placeKey } from "../store.js";
import { knownMail } from "./search.js";

/** @import { MailRow } from "../types.d.ts" */

const CATCH_UP_MS = 10_000; // a server that has started again reads the newest mails last
let serverStart = "";
/** When the server started again, until it has all mails in the list (local clock, ms; 0: it has). */
let startedAt = 0;

/**
 * Whether a server that has started again does not have these mails; says so once.
 * @param {MailRow[]} rows of the mails in the list
 */
export function isReplaced(rows) {
  if (serverStart !== connection.serverStart) startedAt = Date.now();
  serverStart = connection.serverStart;
  if (!startedAt) return false;
  const hasAll = rows.every((row) => knownMail(placeKey(row.place))?.id === row.id);
  const isLate = Date.now() - startedAt > CATCH_UP_MS;
  if (hasAll || isLate) startedAt = 0;
  return isLate && !hasAll;
}
