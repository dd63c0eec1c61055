// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { Part } from "./part.js";
import { keep } from "./settings.js";
import { on } from "./state.js";
import * as words from "./words.js";

const choices = ["user", "source"];
let known = null;

/// The names of kinds for people, as far as the service has told them.
export const labels = new Map();

export const label = (kind) => labels.get(kind) ?? words.kind(kind).replace(/^./u, (letter) => letter.toUpperCase());

/// The kinds that the map has.
export const present = () => known.words.kind;

/// Ties the chips and boxes above the list to the state: kinds, person, source, order and opening hours.
export function startFilters(state, store, list) {
  known = store;
  for (const name of [...choices, "order"]) find(name).addEventListener("change", () => state.set({ [name]: find(name).value }));
  // An order that a link has is not the person's choice.
  find("order").addEventListener("change", () => keep({ order: state.order }));
  find("hours").addEventListener("click", () => state.set({ open: state.open ? "" : "now" }));
  const chip = find("kind"), tiles = new Part(() => import("./kinds.js"));
  chip.addEventListener("click", () => tiles.press(({ openKinds }) => openKinds(state).then(showKinds)));
  const showKinds = () => {
    const [first, ...others] = state.kind, text = first === undefined ? "" : label(first) + (others.length ? ` + ${others.length}` : "");
    chip.textContent = text || "Kind";
    chip.setAttribute("aria-label", `Kind ${text || "All"}`);
    chip.classList.toggle("on", Boolean(text));
  };
  const show = () => {
    for (const name of choices) {
      const found = store.words[name], select = find(name), chosen = state[name];
      if (chosen) found.add(chosen);
      const wanted = [...found].sort(), present = [...select.options].slice(1).map((option) => option.value);
      if (wanted.join("\n") !== present.join("\n")) {
        select.replaceChildren(element("option", { value: "" }, "All"), ...wanted.map((value) => element("option", { value }, value)));
      }
      select.value = chosen;
    }
    find("order").value = state.order;
    find("hours").setAttribute("aria-pressed", String(Boolean(state.open)));
    find("more-filters").classList.toggle("on", Boolean(state.user || state.source || state.order !== "near"));
  };
  on(state, [...choices, "order", "open"], show);
  on(state, ["kind"], showKinds);
  list.addEventListener("answer", show);
  show();
  showKinds();
}
