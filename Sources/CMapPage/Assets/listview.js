// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { picture } from "./glyphs.js";
import { arrange } from "./rows.js";
import * as words from "./words.js";

/// The number of rows before the last one at which more are wanted.
const ahead = 20;

/// The rows of the list as elements. They are kept while their landmark is listed: most rows do not change, laying out a
/// whole new list takes long, and the list has to stay where it is.
export class ListView {
  /// The elements of the shown rows by id, with their texts.
  #made = new Map();

  /// - `more`: called when a person comes near the last row.
  constructor(state, more) {
    this.list = find("list");
    for (const name of ["pointerover", "focusin"]) {
      this.list.addEventListener(name, ({ target }) => state.hover(target.closest("button")?.dataset.id ?? null));
    }
    for (const name of ["pointerleave", "focusout"]) this.list.addEventListener(name, () => state.hover(null));
    state.addEventListener("hover", ({ detail }) => {
      this.list.querySelector(".hover")?.classList.remove("hover");
      this.#made.get(detail)?.item.classList.add("hover");
    });
    this.near = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) more(); });
  }

  get first() { return this.list.querySelector("button"); }

  /// Focuses the row of a landmark; false if it has none.
  focus(id) {
    const button = this.#made.get(id)?.item.firstElementChild;
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
    return Boolean(button);
  }

  draw(rows, from, openings, hasMore) {
    this.#made = new Map(rows.map((each) => [each.id, this.#row(each, from, openings)]));
    const { list } = this, focused = list.contains(document.activeElement) && document.activeElement;
    const items = [...this.#made.values()].map(({ item }) => item);
    list.hidden = !items.length;
    arrange(list, items);
    // The focus stays on the same landmark while the list changes around it.
    if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
    this.near.disconnect();
    // The very last row too, because a jump to the end passes the other one by.
    if (hasMore) for (const item of new Set([items.at(-ahead) ?? items[0], items.at(-1)])) if (item) this.near.observe(item);
  }

  #row(landmark, from, openings) {
    const about = [words.opening(openings.get(landmark.id)), words.kind(landmark.kind), landmark.user ?? landmark.source?.name].filter(Boolean).join(" · ");
    const far = words.away(from, landmark), said = [landmark.name, far, about, Boolean(landmark.source), landmark.kind].join("\n");
    const known = this.#made.get(landmark.id);
    if (known?.said === said) return known;
    const item = known?.item ?? element("li", {}, element("button", { type: "button" }));
    item.firstElementChild.dataset.id = landmark.id;
    item.firstElementChild.replaceChildren(
      picture(landmark.kind, Boolean(landmark.source)),
      element("span", { className: "name", dir: "auto" }, landmark.name),
      element("span", { className: "far" }, far),
      element("span", { className: "about", dir: "auto" }, about || (landmark.source ? "default" : "")));
    return { said, item };
  }
}
