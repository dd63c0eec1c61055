// SPDX-License-Identifier: Apache-2.0

import { read, startAddress, startView } from "./address.js";
import { query } from "./api.js";
import { startBackground } from "./background.js";
import { element, find } from "./dom.js";
import { startDrag } from "./drag.js";
import { Feed } from "./feed.js";
import { startFilters } from "./filters.js";
import { List } from "./list.js";
import { startLive } from "./live.js";
import { copy, say } from "./notice.js";
import { startOffline } from "./offline.js";
import { Overlay } from "./overlay.js";
import { Part } from "./part.js";
import { startPerson } from "./person.js";
import { PointLayer } from "./pointlayer.js";
import { startPress } from "./popover.js";
import { OwnPosition } from "./position.js";
import { startSearch } from "./search.js";
import { session, startSession } from "./session.js";
import { startSettings } from "./settings.js";
import { startSheet } from "./sheet.js";
import { on, State } from "./state.js";
import { Store } from "./store.js";
import { Tiles } from "./tiles.js";

/// The zoom at which a hit of a search is shown, and below which it is not seen.
const close = 14, far = 11;
/// The greatest latitude of a map.
const edge = 85.05;

async function start() {
  // The map does not wait for the session, because that costs a round trip.
  const signedIn = startSession();
  const state = new State(read(location.hash));
  const map = L.map("map", { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false,
    // At zoom level 1 a wide screen would show the world twice.
    minZoom: innerWidth > 700 ? 2 : 1, maxZoom: 18, zoomControl: false, worldCopyJump: true,
    inertia: !matchMedia("(prefers-reduced-motion: reduce)").matches });
  L.control.zoom({ position: "topright" }).addTo(map);
  L.control.scale({ imperial: false, position: "topright" }).addTo(map);
  map.attributionControl.setPrefix("Leaflet");
  startView(state, map);
  startBackground(map);
  const sheet = startSheet(state);
  startSettings(state);
  startPerson(state);
  startAddress(state);

  const feed = new Feed(), store = new Store(feed);
  const overlay = new Overlay(map), own = new OwnPosition(map, overlay, () => list.renew(0));
  const origin = () => own.at ?? { lat: state.lat, lng: state.lng };
  const tiles = new Tiles(() => query(state.filters), (landmark) => state.passes(landmark));
  const list = new List(state, store, tiles, origin, map);
  const points = new PointLayer({ map, tiles, store, state, openIDs: () => list.openIDs, hits: () => list.hits });
  const measure = new Part(() => import("./measure.js"), ({ Measure }) => new Measure(map, overlay, state));
  const area = new Part(() => import("./area.js"), ({ AreaWatch }) => new AreaWatch(map, overlay, state));
  const editing = new Part(() => import("./edits.js"), ({ Edits }) => new Edits(map, state));
  const edits = (action, ...rest) => editing.use((made) => made[action](...rest));
  // A form hears of another selection before the landmark is shown, so that the focus stays there.
  const detail = new Part(() => editing.get().then(() => import("./detail.js")), ({ Detail }) => new Detail({ map, overlay, state, store, feed, edits, origin }));
  startLive({ state, store, feed, tiles, list, area, map });
  startDrag(map, points, store, (place) => edits("move", store.landmarks.get(state.selected), place));
  startPress({ map, overlay, points, tiles, state, measure, area, add: (place) => edits("add", place), spot: (spot) => showSpot(spot) });
  startFilters(state, store, list);
  startSearch(state, list, map);

  async function fit() {
    const corners = await tiles.extent().catch(() => null);
    if (corners) map.fitBounds(corners, { padding: [70, 70], maxZoom: 15, animate: false });
    return corners !== null;
  }
  async function showSpot(spot) {
    state.set({ selected: null });
    sheet.show("half");
    await list.showSpot(spot);
    list.view.first?.focus();
    say(`${spot.count.toLocaleString("en")} landmarks lie at this spot: choose one in the list.`);
  }
  /// Moves the map to a landmark that lies outside it, or that is one of many small hits.
  function reveal(landmark) {
    if (Math.abs(landmark.lat) > edge) say(`The map ends at 85°: this landmark is further ${landmark.lat > 0 ? "north" : "south"}.`);
    // In the copy of the world that the map shows.
    const { lat, lng } = landmark, place = [lat, lng + 360 * Math.round((map.getCenter().lng - lng) / 360)];
    if (state.query && map.getZoom() < far) map.setView(place, close, { animate: false });
    else if (!map.getBounds().pad(-0.02).contains(place)) map.panTo(place, { animate: false });
  }

  state.addEventListener("change", ({ detail: { names } }) => {
    if (["kind", "user", "source"].some((name) => names.has(name))) tiles.clear();
    if (!names.has("selected")) return;
    points.dragged = null;
    const known = store.landmarks.get(state.selected);
    // A link that names a view and a landmark shows that view.
    isRevealed = ["zoom", "lat", "lng"].some((name) => names.has(name)) || Boolean(known) || state.selected === null;
    if (known && !names.has("lat") && !names.has("zoom")) reveal(known);
  });
  state.addEventListener("known", ({ detail: landmark }) => {
    if (landmark && !isRevealed) reveal(landmark);
    isRevealed = true;
    points.dragged = null;
    points.redraw();
  });
  state.addEventListener("closed", ({ detail: { id, hadFocus } }) => {
    if (hadFocus && !list.view.focus(id)) find("query").focus();
  });
  find("fit").addEventListener("click", () => {
    list.showSpot(null);
    fit();
  });
  find("share").addEventListener("click", () =>
    copy(location.href, "The link to this view was copied.", "Copy the link from the address bar: it opens this view."));
  on(state, ["zoom", "lat", "lng"], () => list.moved(Boolean(own.at)));
  list.addEventListener("answer", () => points.redrawSoon());
  let isFitted = state.given, isRevealed = true;
  tiles.addEventListener("change", ({ detail: tile }) => {
    for (const kind of tile?.kinds ?? []) store.learn("kind", kind);
    points.redrawSoon();
  });
  feed.addEventListener("change", ({ detail: change }) => {
    points.redrawSoon();
    if (!isFitted && change.op === "added") { isFitted = true; fit(); }
  });
  // All parts that come later are in one file, which is asked for when the list is there, or when the first is needed.
  const need = () => {
    if (state.selected !== null) detail.use(() => {});
    if (state.area.length) area.use(() => {});
  };
  on(state, ["selected", "area"], need);
  list.addEventListener("answer", () => setTimeout(() => detail.get().then(need, () => {}), 1000));
  // The tiles that a stranger asked for were refused.
  if (await signedIn) tiles.clear();
  startOffline(tiles, () => list.renew(0));
  feed.start(session.account?.number);
  need();
  if (isFitted) return list.start();
  // The list is about the view, so it waits for it, but not for long.
  const fitted = fit();
  await Promise.race([fitted, new Promise((resolve) => setTimeout(resolve, 3000))]);
  list.start();
  isFitted = await fitted;
}

if (window.L) start();
else {
  document.querySelector("main").replaceChildren(element("div", { className: "failure" }, element("h1", {}, "Leaflet is not installed"),
    element("p", {}, "The map needs it: install the package libjs-leaflet on the machine of the service, then load this page again.")));
}
