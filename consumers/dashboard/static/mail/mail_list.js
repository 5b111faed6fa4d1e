// A list of mails: its items, which follow their mails, and the one selected last.

import { onClasses } from "../classes.js";
import { byId } from "../dom.js";
import { onChange, placeKey } from "../store.js";
import { onLabel } from "./labels.js";

/** @import { MailRow } from "../types.d.ts" */
/** @import { MailItem } from "./mail_item.js" */

export class MailList {
  /** @type {Map<string, MailItem>} by place */
  items = new Map();
  /** @type {string | null} place of the mail selected last */
  selected = null;

  /** @param {string} id of its element */
  constructor(id) {
    this.id = id;
  }

  /** Keep the items up to date from now on. */
  start() {
    /** @param {MailRow} row */
    const update = (row) => this.items.get(placeKey(row.place))?.update(row);
    onLabel(update);
    onClasses(() => { for (const item of this.items.values()) item.update(item.row); });
    onChange((changes) => {
      for (const row of changes.mails) update(row);
      for (const item of this.items.values()) item.showAge();
    });
  }

  /** The item of the selected mail, if it is listed. */
  get chosen() {
    return this.items.get(this.selected ?? "");
  }

  /** @param {string | null} key */
  select(key) {
    this.chosen?.select(false);
    this.selected = key;
    this.chosen?.select(true);
  }

  /** @param {number} by how many mails down the list */
  move(by) {
    const keys = [...byId(this.id).querySelectorAll("li")].map((item) => item.dataset.place ?? "");
    const next = keys[Math.max(0, Math.min(keys.length - 1, keys.indexOf(this.selected ?? "") + by))];
    const item = this.items.get(next);
    if (!item) return;
    this.select(next);
    item.subject.focus();
  }
}
