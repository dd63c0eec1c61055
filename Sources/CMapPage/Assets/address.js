// SPDX-License-Identifier: Apache-2.0
// @ts-check

import { on } from "./state.js";

/** @typedef {import("./state.js").State} State @typedef {import("./state.js").Values} Values @typedef {import("./state.js").Place} Place */

const mostKinds = 20, mostCorners = 60, mostLetters = 200, mostKilometres = 48;

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.max(least, Math.min(most, value));

/// Reads the values from the part of an address after #. Leaves out the view if the address does not name one.
/** @param {string} hash @returns {Partial<Values>} */
export function read(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  /** @param {string} name */
  const text = (name) => (said.get(name) ?? "").slice(0, mostLetters);
  const [zoom, lat, lng] = (said.get("at") ?? "").split("/").map((each) => (each.trim() ? Number(each) : NaN));
  const given = [zoom, lat, lng].every(Number.isFinite), order = text("order");
  return {
    ...(given ? { zoom: within(Math.round(zoom), 1, 18), lat: within(lat, -85, 85), lng: Math.abs(lng) <= 180 ? lng : ((lng + 180) % 360 + 360) % 360 - 180 } : {}),
    given, kind: [...new Set(said.getAll("kind"))].filter(Boolean).slice(0, mostKinds), user: text("user"), source: text("source"),
    open: text("open") === "now" ? "now" : "", order: ["recent", "rated"].includes(order) ? order : "near", query: text("q"),
    radius: within(Number(said.get("radius")) || 0, 0, mostKilometres), area: corners(said.get("area") ?? ""), selected: text("id") || null,
  };
}

/// Writes the values as the part of an address after #, with the mark.
/** @param {Values} values */
export function write({ zoom, lat, lng, kind, user, source, open, order, query, radius, area, selected }) {
  const parts = [`at=${zoom}/${lat.toFixed(5)}/${lng.toFixed(5)}`];
  /** @param {string} name @param {string | null} value */
  const add = (name, value) => { if (value) parts.push(`${name}=${encodeURIComponent(value)}`); };
  for (const each of kind) add("kind", each);
  add("user", user);
  add("source", source);
  add("q", query);
  add("order", order === "near" ? "" : order);
  add("radius", radius && order === "rated" ? String(radius) : "");
  add("open", open);
  if (area.length) parts.push(`area=${area.map((each) => `${each.lat.toFixed(5)},${each.lng.toFixed(5)}`).join(";")}`);
  add("id", selected);
  return `#${parts.join("&")}`;
}

/// Reads the corners of an area: LAT,LNG;LAT,LNG;…; empty if the text is no area.
/** @param {string} text @returns {Place[]} */
function corners(text) {
  const found = text.split(";").slice(0, mostCorners).map((each) => each.split(",").map(Number));
  const isRight = found.length > 2 && found.every((pair) => pair.length === 2 && pair.every(Number.isFinite) && Math.abs(pair[0]) <= 90);
  return isRight ? found.map(([lat, lng]) => ({ lat, lng })) : [];
}

/// Keeps the address and the state equal. A landmark that opens makes an entry of the history, so that Back closes it;
/// everything else replaces the present entry.
/** @param {State} state */
export function startAddress(state) {
  // A closed landmark takes its entry back, which is done a moment later.
  let isHearing = false, isReturning = false;
  // The kept settings are in the state, and Back leads to this entry.
  if (state.given) history.replaceState(history.state, "", write(state.values));
  state.addEventListener("change", (/** @type {any} */ { detail: { before } }) => {
    if (isReturning) return;
    const isOpening = before.selected === null && state.selected !== null;
    if (before.selected !== null && state.selected === null && history.state?.opened && !isHearing) {
      isReturning = true;
      return history.back();
    }
    const hash = write(state.values);
    if (isOpening && !isHearing) history.pushState({ opened: true }, "", hash);
    else if (hash !== location.hash) history.replaceState(history.state, "", hash);
  });
  const hear = () => {
    if (isReturning) {
      isReturning = false;
      history.replaceState(history.state, "", write({ ...state.values, selected: null }));
      if (state.selected !== null) history.pushState({ opened: true }, "", write(state.values));
      return;
    }
    const { given, ...values } = read(location.hash);
    isHearing = true;
    // An address without a view leaves the view as it is.
    state.set(given ? { given, ...values } : values);
    isHearing = false;
  };
  for (const name of ["popstate", "hashchange"]) addEventListener(name, hear);
}

/// Keeps the view of the map and the state equal. The digits are those of the address, so that a view that is read from
/// it is the same view.
/** @param {State} state @param {any} map */
export function startView(state, map) {
  const show = () => map.setView([state.lat, state.lng], state.zoom, { animate: false });
  show();
  map.on("moveend", () => {
    const { lat, lng } = map.getCenter().wrap();
    state.set({ zoom: map.getZoom(), lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)) });
  });
  on(state, ["zoom", "lat", "lng"], () => {
    const { lat, lng } = map.getCenter().wrap();
    const isSame = state.zoom === map.getZoom() && Math.abs(state.lat - lat) < 1e-5 && Math.abs(state.lng - lng) < 1e-5;
    if (!isSame) show();
  });
}
