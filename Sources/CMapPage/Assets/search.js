// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { say } from "./notice.js";

/// Searches as the person types; the answer to an older text never replaces a newer one.
export function startSearch(list, map, open) {
  let asked = null, timer = 0;
  const ask = async () => {
    asked?.abort();
    const q = find("query").value.trim();
    if (!q) {
      list.found = null;
      showPlaces([], map);
      return list.draw();
    }
    asked = new AbortController();
    const signal = asked.signal, { lat, lng } = map.getCenter().wrap();
    try {
      list.found = (await api.search({ ...list.view.filters, q, lat, lng, limit: 100 }, signal)).landmarks;
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
      return;
    }
    if (signal.aborted) return;
    list.draw();
    // Towns are a help beside the landmarks: without an answer the list has none.
    const towns = await api.geocode({ q, lat, lng, limit: 5, landmarks: false }, signal).catch(() => ({ places: [] }));
    if (!signal.aborted) showPlaces(towns.places, map);
  };
  find("query").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 180);
  });
  find("query").addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    // The list may still be the answer to an older text.
    clearTimeout(timer);
    await ask();
    (find("list").querySelector("button") ?? find("places").querySelector("button"))?.click();
  });
}

/// Lists towns of that name below the landmarks; a click shows one on the map.
function showPlaces(places, map) {
  const section = find("places");
  section.hidden = !places.length;
  section.replaceChildren(...places.length ? [
    element("h2", {}, "Places"),
    element("ul", {}, ...places.map((place) => element("li", {},
      element("button", { type: "button", className: "plain", onclick: () => map.setView([place.lat, place.lng], 12) },
        place.label)))),
    element("p", { className: "small" }, places[0].attribution),
  ] : []);
}
