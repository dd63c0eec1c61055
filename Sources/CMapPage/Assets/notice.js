// SPDX-License-Identifier: Apache-2.0

import { button, element, find } from "./dom.js";

const most = 10;
/// The messages with an action, the newest last: it is shown, and the former ones when it has been used.
let kept = [];
let plain = null, count = 0, timer = 0;

// The button may be far from the focus, so there is a key for it.
addEventListener("keydown", (event) => {
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.closest?.("#editor, dialog")
    && !event.target.closest?.("input, textarea")?.value) kept.at(-1)?.use();
});

/// A message that stays is not touched, so that it is not read out again.
function draw() {
  const wanted = [plain, kept.at(-1)?.made].filter(Boolean), box = find("notice");
  for (const each of [...box.children]) if (!wanted.includes(each)) each.remove();
  for (const each of wanted) if (each.parentNode !== box) box.append(each);
}

/// Shows a message for some seconds, and tells it to screen readers. One with an action, such as Undo, stays until it is
/// used, closed, or followed by ten others.
///
/// - `what`: a text, or an array of texts and elements.
/// - `handler`: if it returns false, the action may succeed later, and the message comes back.
export function say(what, action, handler) {
  const made = element("div", {}, element("span", {}, ...[what].flat()));
  const number = (count += 1);
  kept = kept.filter((each) => number - each.number < most);
  if (action) {
    const close = () => {
      kept = kept.filter((each) => each.made !== made);
      draw();
    };
    const use = async () => {
      close();
      if (await handler() !== false) return;
      kept.push({ made, number, use });
      draw();
    };
    made.append(button(action, use, { "aria-keyshortcuts": "Control+Z" }),
      button("×", close, { className: "icon", "aria-label": "Close the message" }));
    kept.push({ made, number, use });
  } else {
    clearTimeout(timer);
    plain = made;
    timer = setTimeout(() => {
      plain = null;
      draw();
    }, 6000 + 60 * made.textContent.length);
  }
  draw();
}

/// Copies a text, and says how that went. Browsers allow it only on loopback and HTTPS.
export async function copy(text, done, failed) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch { say(failed); }
}
