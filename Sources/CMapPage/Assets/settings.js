// SPDX-License-Identifier: Apache-2.0

import { openConverter } from "./converter.js";
import { dialog } from "./dialog.js";
import { element, find } from "./dom.js";
import { makeForm } from "./form.js";
import { nameField, setName } from "./person.js";
import { session } from "./session.js";
import { on } from "./state.js";
import { distance, units } from "./words.js";

const key = "waymark-settings", orders = [["near", "Nearest"], ["recent", "Recent"], ["rated", "Best rated"]];
/// The greatest radius in km within which the service orders by rating.
const most = 48;

const kept = { order: "near", radius: 5, isMiles: false };
try {
  const { order, radius, isMiles } = JSON.parse(localStorage.getItem(key) ?? "{}");
  if (orders.some(([each]) => each === order)) kept.order = order;
  kept.radius = within(radius);
  kept.isMiles = isMiles === true;
} catch { /* Storage may be forbidden or strange: the settings are then those of the page. */ }
units.isMiles = kept.isMiles;

function within(radius) { return Math.min(most, Math.max(1, Math.round(Number(radius)) || 5)); }

/// Returns what the service needs for the order by rating, besides a place; nothing for the other orders.
export const rank = ({ order, radius }) => (order === "rated" ? { rank: "prominence", radius: 1000 * within(radius) } : {});

/// Keeps what the person has chosen: `order`, `radius` and `isMiles`, or some of them.
export function keep(changes) {
  Object.assign(kept, changes);
  try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* As above. */ }
}

const open = (state) => dialog("Settings", (close) => {
  const button = (label, onclick) => element("button", { type: "button", className: "plain", onclick }, label);
  return makeForm([
    { name: "order", label: "Order of the list", options: orders, value: state.order },
    { name: "radius", label: "Best rated within", type: "range", min: 1, max: most, value: within(state.radius || kept.radius),
      show: (radius) => distance(1000 * radius) },
    { name: "units", label: "Distances", options: [["km", "Kilometres"], ["mi", "Miles"]], value: units.isMiles ? "mi" : "km" },
    ...(session.isNeeded ? [] : [nameField()]),
    { block: element("div", { className: "row" }, button("Currencies", openConverter), button("Saved places", () => {
      close();
      state.dispatchEvent(new Event("saved"));
    })) },
  ], "Save", async (values, changes) => {
    if ("name" in changes) setName(values.name ?? "");
    units.isMiles = values.units === "mi";
    keep({ order: values.order, radius: values.radius, isMiles: units.isMiles });
    state.set({ order: values.order, radius: values.radius });
    if (changes.units) state.dispatchEvent(new Event("settings"));
  }, close);
});

/// Sets what the person has chosen before, unless the address says otherwise.
export function startSettings(state) {
  if (state.order === "near") state.set({ order: kept.order });
  const fill = () => { if (state.order === "rated" && !state.radius) state.set({ radius: kept.radius }); };
  fill();
  on(state, ["order", "radius"], fill);
  find("menu").addEventListener("click", () => open(state));
}
