// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { find } from "./dom.js";
import { say } from "./notice.js";

/// Searches as the person types; the answer to an older text never replaces a newer one.
export function startSearch(list, map, open) {
  let asked = null, timer = 0;
  const ask = async () => {
    asked?.abort();
    const q = find("query").value.trim();
    if (!q) {
      list.found = null;
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
    if (!signal.aborted) list.draw();
  };
  find("query").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 180);
  });
  find("query").addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    // What is listed may still be the answer to an older text.
    clearTimeout(timer);
    await ask();
    find("list").querySelector("button")?.click();
  });
}
