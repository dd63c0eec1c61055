// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { keep } from "./settings.js";
import { on } from "./state.js";

const choices = ["user", "source"];

/// Ties the chips and boxes above the list to the state: person, source, order and opening hours.
export function startFilters(state, store, list) {
  for (const name of [...choices, "order"]) find(name).addEventListener("change", () => state.set({ [name]: find(name).value }));
  // An order that a link has is not the person's choice.
  find("order").addEventListener("change", () => keep({ order: state.order }));
  find("hours").addEventListener("click", () => state.set({ open: state.open ? "" : "now" }));
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
  list.addEventListener("answer", show);
  show();
}
