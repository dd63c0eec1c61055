// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

let timer = 0;

// By Tab the button is the last thing on the page, and it does not wait: hence a key.
addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.value) find("notice").querySelector("button")?.click();
});

/// Shows a message for some seconds, also to screen readers; with a button if it can be undone.
export function say(text, action, handler) {
  clearTimeout(timer);
  const hide = () => find("notice").replaceChildren();
  const button = action && element("button", { type: "button", "aria-keyshortcuts": "Control+Z", onclick: () => { hide(); handler(); } }, action);
  find("notice").replaceChildren(element("div", {}, element("span", {}, text), button));
  timer = setTimeout(hide, action ? 12000 : 5000);
}
