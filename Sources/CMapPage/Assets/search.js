// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { say } from "./notice.js";

/// Searches while the person types. The answer for an older text never replaces the answer for a newer text.
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
    // Towns are an addition to the landmarks, so an error only means that none are listed.
    const towns = await api.geocode({ q, lat, lng, limit: 5, landmarks: false }, signal).catch(() => ({ places: [] }));
    if (!signal.aborted) showPlaces(towns.places, map);
  };
  find("query").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 180);
  });
  find("query").addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    // The list may still be the answer for an older text.
    clearTimeout(timer);
    await ask();
    (find("list").querySelector("button") ?? find("places").querySelector("button"))?.click();
  });
}

/// Lists the towns with this name below the landmarks. A click on a town shows it on the map.
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
