// How the names of classes, and the values of categories, are shown, so that no two look alike.

import { store } from "./store.js";

const LEAST_SHARED = 10; // a shorter beginning fits wherever names are cut
const FIRST = 3;
const LAST = 4;

/**
 * A name whose blanks can be counted: a page shows neither the second of two nor those at the ends.
 * @param {string} name
 */
export const fullName = (name) => name.replace(/^ +| +$| {2,}/g, (blanks) => "␣".repeat(blanks.length));

/**
 * A name for elements that cut long ones at the end: of a long beginning that another class has, too, little is left.
 * @param {string} name
 * @param {string[]} [names] of all classes
 */
export function shortName(name, names = store.view?.classes ?? []) {
  const chars = [...name];
  const shared = Math.max(0, ...names.map((other) => (other === name ? 0 : sharedStart(chars, [...other]))));
  if (shared < LEAST_SHARED) return fullName(name);
  const [word] = /[\p{L}\p{N}]*$/u.exec(chars.slice(0, shared).join("")) ?? [""];
  const last = Math.min([...word].length, LAST);
  return fullName(`${chars.slice(0, FIRST).join("")}…${chars.slice(shared - last).join("")}`);
}

/**
 * @param {string[]} one
 * @param {string[]} other
 */
function sharedStart(one, other) {
  const differs = one.findIndex((char, at) => char !== other[at]);
  return differs < 0 ? one.length : differs;
}
