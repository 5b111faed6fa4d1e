// Choices that the browser remembers between visits, if it may: where a person blocks cookies, `localStorage` throws.

/**
 * The remembered choice; null: none.
 * @param {string} name
 */
export function choice(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Remember a choice.
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch { /* it holds until the page is closed */ }
}
