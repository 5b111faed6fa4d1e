// Building the page: text goes in as text only, so nothing a mail says can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; strings become text nodes, null children are left out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/**
 * The page is ours, so what an id stands for is known where it is used.
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/** Buttons of which one is pressed; `choose` gets the value. */
export function segments(holder, choices, pressed, choose) {
  const buttons = choices.map(([value, text]) =>
    el("button", { type: "button", "aria-pressed": String(value === pressed), "data-value": value, onclick: () => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === String(value)));
      choose(value);
    } }, text));
  holder.replaceChildren(...buttons);
}

let toastTimer = 0;

/** A line of text that goes away by itself. */
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, 5000);
}
