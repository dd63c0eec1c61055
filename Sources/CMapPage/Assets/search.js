// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { picture } from "./glyphs.js";
import { on } from "./state.js";

/// Searches while the person types: the list and the map show the landmarks, and the towns of this name are listed below
/// them. The answer for an older text never replaces the answer for a newer text.
export function startSearch(state, list, map) {
  const box = find("query");
  let asked = null, towns = null, timer = 0;
  const take = () => {
    clearTimeout(timer);
    state.set({ query: box.value.trim() });
  };
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked, { lat, lng } = map.getCenter().wrap(), q = state.query;
    // Towns are an addition to the landmarks, so an error only means that none are listed.
    const { places } = q ? await api.geocode({ q, lat, lng, limit: 5, landmarks: false }, signal).catch(() => ({ places: [] })) : { places: [] };
    if (!signal.aborted) show(places);
  };
  const show = (places) => {
    find("places").hidden = !places.length;
    find("places").replaceChildren(...places.length ? [
      element("ul", {}, ...places.map((place) => element("li", {}, element("button", { type: "button", onclick: () => go(place) },
        picture("town"), element("span", { className: "name", dir: "auto" }, place.label))))),
      element("p", { className: "small" }, places[0].attribution),
    ] : []);
  };
  /// Shows a town with a mark. The list is then about the landmarks near it.
  const go = (place) => {
    map.setView([place.lat, place.lng], 12, { animate: false });
    state.set({ query: "" });
    state.dispatchEvent(new CustomEvent("town", { detail: place }));
  };
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(take, 180);
  });
  box.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    take();
    // The list may still be the answer for an older text, and the towns come after it.
    await Promise.all([list.settled, towns]);
    (list.isAnswered && list.view.first || find("places").querySelector("button"))?.click();
  });
  on(state, ["query"], () => {
    if (box.value.trim() !== state.query) box.value = state.query;
    if (state.query) state.dispatchEvent(new CustomEvent("town", { detail: null }));
    towns = ask();
  });
  box.value = state.query;
  if (state.query) towns = ask();
}
