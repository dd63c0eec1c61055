// SPDX-License-Identifier: Apache-2.0

import { nameField } from "./account.js";
import { openConverter } from "./converter.js";
import { dialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { makeForm } from "./form.js";
import { setName } from "./person.js";
import { session } from "./session.js";
import { keep, kept, most, orders, within } from "./settings.js";
import { distance, units } from "./words.js";

const plain = { className: "plain" };

export const openSettings = (state) => dialog("Settings", (close) => {
  return makeForm([
    { name: "order", label: "Order of the list", options: orders, value: state.order },
    { name: "radius", label: "Best rated within", type: "range", min: 1, max: most, value: within(state.radius || kept.radius),
      show: (radius) => distance(1000 * radius) },
    { name: "units", label: "Distances", options: [["km", "Kilometres"], ["mi", "Miles"]], value: units.isMiles ? "mi" : "km" },
    ...(session.isNeeded ? [] : [nameField()]),
    { block: element("div", { className: "row" }, button("Currencies", openConverter, plain), button("Saved places", () => {
      close();
      state.dispatchEvent(new Event("saved"));
    }, plain)) },
  ], "Save", async (values, changes) => {
    if ("name" in changes) setName(values.name ?? "");
    units.isMiles = values.units === "mi";
    keep({ order: values.order, radius: values.radius, isMiles: units.isMiles });
    state.set({ order: values.order, radius: values.radius });
    if (changes.units) state.dispatchEvent(new Event("settings"));
  }, close);
});
