// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

let timer = 0;

// The button is the last stop of the Tab key and soon disappears, so there is a key for it.
addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.value) find("notice").querySelector("button")?.click();
});

/// Shows a message for some seconds, and tells it to screen readers. With an action it has a button, such as Undo.
export function say(text, action, handler) {
  clearTimeout(timer);
  const hide = () => find("notice").replaceChildren();
  const button = action && element("button", { type: "button", "aria-keyshortcuts": "Control+Z", onclick: () => { hide(); handler(); } }, action);
  find("notice").replaceChildren(element("div", {}, element("span", {}, text), button));
  timer = setTimeout(hide, action ? 12000 : 5000);
}
