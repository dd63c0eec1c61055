// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { recall, store } from "./keep.js";
import { Part } from "./part.js";
import { on } from "./state.js";
import { units } from "./words.js";

const key = "waymark-settings";
export const orders = [["near", "Nearest"], ["recent", "Recent"], ["rated", "Best rated"]];
/// The greatest radius in km within which the service orders by rating.
export const most = 48;

export const kept = { order: "near", radius: 5, isMiles: false };
try {
  const { order, radius, isMiles } = JSON.parse(recall(key) ?? "{}");
  if (orders.some(([each]) => each === order)) kept.order = order;
  kept.radius = within(radius);
  kept.isMiles = isMiles === true;
} catch { /* What is kept may be strange: the settings are then those of the page. */ }
units.isMiles = kept.isMiles;

export function within(radius) { return Math.min(most, Math.max(1, Math.round(Number(radius)) || 5)); }

/// Returns what the service needs for the order by rating, besides a place; nothing for the other orders.
export const rank = ({ order, radius }) => (order === "rated" ? { rank: "prominence", radius: 1000 * within(radius) } : {});

/// Keeps what the person has chosen: `order`, `radius` and `isMiles`, or some of them.
export function keep(changes) {
  Object.assign(kept, changes);
  store(key, JSON.stringify(kept));
}

/// Sets what the person has chosen before, unless the address says otherwise.
export function startSettings(state) {
  if (state.order === "near") state.set({ order: kept.order });
  const fill = () => { if (state.order === "rated" && !state.radius) state.set({ radius: kept.radius }); };
  fill();
  on(state, ["order", "radius"], fill);
  const dialog = new Part(() => import("./settingsdialog.js"));
  find("menu").addEventListener("click", () => dialog.press(({ openSettings }) => openSettings(state)));
}
