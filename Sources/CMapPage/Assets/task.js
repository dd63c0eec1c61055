// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";

const told = new Map();

/// Shows what a mode asks of the person, or what it found, over the map; without `children`, removes it. Only one mode
/// is on, so its status stands before that of the person's position.
export function task(owner, ...children) {
  told.delete(owner);
  if (children.length) told.set(owner, children);
  const shown = [...told.keys()].find((each) => each !== "position") ?? "position", box = find("task");
  // A position changes each second, which a screen reader need not read aloud.
  box.setAttribute("aria-live", shown === "position" ? "off" : "polite");
  box.hidden = !told.has(shown);
  // The focus stays on the button that is made anew.
  const isFocused = box.contains(document.activeElement);
  box.replaceChildren(...told.get(shown) ?? []);
  if (isFocused) (box.querySelector("button:not(:disabled)") ?? find("map")).focus({ preventScroll: true });
}
