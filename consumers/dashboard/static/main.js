// The page starts here.

import { byId } from "./dom.js";
import { showHealth, startHealth } from "./health.js";
import { startMails } from "./mails.js";
import { startOperations } from "./operations.js";
import { startOverview } from "./overview.js";
import { startQuality } from "./quality.js";
import { connect } from "./store.js";
import { startWords } from "./words.js";

function startTheme() {
  const remembered = localStorage.getItem("theme");
  if (remembered) document.documentElement.dataset.theme = remembered;
  byId("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", document.documentElement.dataset.theme);
  });
}

startTheme();
startOverview();
startMails();
startQuality();
startOperations();
startWords();
startHealth();
connect(showHealth);

/** Mark the section being looked at. */
function startNavigation() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const found = document.querySelectorAll("nav a");
  const links = [...found];
  const mark = () => {
    const passed = links.filter((link) => document.querySelector(link.hash).getBoundingClientRect().top < innerHeight / 3);
    for (const link of links) link.setAttribute("aria-current", String(link === (passed.at(-1) ?? links[0])));
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

startNavigation();
