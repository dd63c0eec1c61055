// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

const stack = [];

/// Messages must be within the topmost dialog, because a browser makes everything outside it inert.
function hold() {
  const host = stack.at(-1) ?? document.body;
  if (find("notice").parentNode !== host) host.append(find("notice"));
}

/// Shows a modal dialog above all others. Returns what `close` was called with; undefined if the person left the dialog.
/// The focus then returns to where it was.
///
/// - `content`: an element, or a function that makes it and is called with `close`.
/// - `isNeeded`: whether the dialog cannot be left by Escape.
export function dialog(title, content, { isNeeded = false } = {}) {
  return new Promise((resolve) => {
    let isDone = false, answer;
    const close = (value) => {
      [isDone, answer] = [true, value];
      made.close();
    };
    const made = element("dialog", { id: "dialog", "aria-label": title,
      oncancel: (event) => { if (isNeeded) event.preventDefault(); },
      onclose: () => {
        // Browsers close a dialog at the second Escape even if the first was refused.
        if (isNeeded && !isDone) return made.showModal();
        stack.splice(stack.indexOf(made), 1);
        if (stack.length) stack.at(-1).id = "dialog";
        hold();
        made.remove();
        resolve(answer);
      } }, element("h2", { dir: "auto" }, title), typeof content === "function" ? content(close) : content);
    if (stack.length) stack.at(-1).id = "";
    stack.push(made);
    document.body.append(made);
    hold();
    made.showModal();
  });
}
