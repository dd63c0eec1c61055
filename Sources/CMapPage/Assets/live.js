// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { connected } from "./offline.js";
import { checkSession } from "./session.js";

const states = { live: "Live", behind: "Behind", reconnecting: "Reconnecting…" };
const banners = { behind: "Storage does not answer: what others change now is not shown yet.", reconnecting: "No connection: this is the last known state." };

/// Gives the changes to the tiles, the list and the area, and says whether the page is up to date.
export function startLive({ state, store, feed, tiles, list, area, map }) {
  let name = "connecting", kept = null, isDue = false;
  const show = () => {
    isDue = false;
    if (!states[name]) return;
    const live = find("live"), text = kept ? "Offline" : states[name];
    const title = kept ? `The last result, of ${kept.toLocaleString()}` : `Revision ${store.rev.toLocaleString("en")}`;
    // An equal text would be announced again.
    if (live.textContent !== text) live.textContent = text;
    [live.title, live.dataset.state] = [title, name];
    const banner = kept ? `Offline: the last result, of ${kept.toLocaleString()}` : banners[name] ?? "";
    find("behind").hidden = !banner;
    find("behind").textContent = banner;
  };
  feed.addEventListener("change", ({ detail: change }) => {
    tiles.apply(change);
    list.apply(change);
    area.now?.apply(change);
  });
  feed.addEventListener("broken", () => checkSession());
  feed.addEventListener("renewed", () => {
    tiles.doubt();
    area.now?.renew();
    list.renew(0);
  });
  feed.addEventListener("state", ({ detail: told }) => {
    name = told.state;
    if (name !== "reconnecting") {
      kept = null;
      connected();
    }
    store.rev = Math.max(store.rev, told.rev);
    // Only a few times a second, because each update costs a layout.
    if (!isDue) setTimeout(show, 200);
    isDue = true;
  });
  list.addEventListener("answer", ({ detail: page }) => {
    kept = page.keptAt ?? kept;
    show();
  });
  setInterval(() => {
    const shown = tiles.corners();
    feed.look(shown.length ? [...shown, ...area.now?.corners() ?? []] : []);
  }, 300);
  // A busy stream does not tell what lies elsewhere: the other rows of the list, their number, and an open landmark.
  let asked = 0;
  setInterval(() => {
    if (!feed.area || document.hidden || store.rev === asked) return;
    asked = store.rev;
    tiles.doubt(0);
    list.renew(0);
    const shown = store.landmarks.get(state.selected);
    if (shown && !map.getBounds().contains(shown)) state.dispatchEvent(new CustomEvent("written", { detail: shown.id }));
  }, 10000);
}
