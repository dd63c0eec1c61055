// SPDX-License-Identifier: Apache-2.0

import { api, query } from "./api.js";
import { AreaWatch } from "./area.js";
import { startBackground } from "./background.js";
import { startConverter } from "./converter.js";
import { Detail } from "./detail.js";
import { element, find } from "./dom.js";
import { startDrag } from "./drag.js";
import { Edits } from "./edits.js";
import { Feed } from "./feed.js";
import { Kinds } from "./kinds.js";
import { List } from "./list.js";
import { Measure } from "./measure.js";
import { say } from "./notice.js";
import { startPerson } from "./person.js";
import { PointLayer } from "./pointlayer.js";
import { connected, startOffline } from "./offline.js";
import { OwnPosition } from "./position.js";
import { startSearch } from "./search.js";
import { checkSession, session, startSession } from "./session.js";
import { Store } from "./store.js";
import { Tiles } from "./tiles.js";
import { Track } from "./track.js";
import { View } from "./view.js";

const states = { live: "Live", behind: "Behind: storage does not answer", reconnecting: "Reconnecting…" };

async function start() {
  await startSession();
  const store = new Store(), feed = new Feed();
  const map = L.map("map", { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false,
    // At zoom level 1 a wide screen would show the world twice.
    minZoom: innerWidth > 700 ? 2 : 1, maxZoom: 18, zoomControl: false, worldCopyJump: true,
    inertia: !matchMedia("(prefers-reduced-motion: reduce)").matches });
  L.control.zoom({ position: "topright" }).addTo(map);
  L.control.scale({ imperial: false, position: "topright" }).addTo(map);
  map.attributionControl.setPrefix("Leaflet");
  const view = new View(map);
  startBackground(map);
  const own = new OwnPosition(map, () => list.renew(0));
  const origin = () => own.at ?? map.getCenter().wrap();
  const filter = () => query(view.filters);
  const tiles = new Tiles(filter, (landmark) => list.passes(landmark));
  const list = new List(store, view, tiles, origin, (id) => open(id));
  new Kinds(store, view, () => list.filtered());
  const track = new Track(map);
  const points = new PointLayer(map, tiles, store, () => view.selected, () => list.openIDs);
  const measure = new Measure(map), area = new AreaWatch(map, view);
  const edits = new Edits(map, (id) => (id ? open(id, false) : close()));
  const detail = new Detail(store, edits, track, () => close());

  startDrag(map, points, (place) => edits.move(store.landmarks.get(view.selected), place));

  async function open(id, moves = true) {
    view.selected = id;
    const landmark = await detail.show(id);
    if (landmark) store.put(landmark);
    points.dragged = null;
    if (landmark && moves && !map.getBounds().pad(-0.1).contains(landmark)) map.panTo(landmark, { animate: false });
    view.write();
    points.redraw();
  }
  function close() {
    const id = view.selected;
    view.selected = null;
    detail.hide();
    list.draw();
    ([...find("list").querySelectorAll("button")].find((each) => each.dataset.id === id) ?? find("query")).focus();
    view.write();
    points.redraw();
  }
  async function fit() {
    const corners = await tiles.extent().catch(() => null);
    if (corners) map.fitBounds(corners, { padding: [70, 70], maxZoom: 15, animate: false });
    return corners !== null;
  }
  async function press(event) {
    if (measure.isOn) return measure.mark(event.latlng.wrap());
    if (area.isOn) return area.mark(event.latlng);
    const hit = points.at(event.containerPoint), { lat, lng } = event.latlng.wrap();
    if (!hit) return edits.add({ lat, lng });
    if (hit.count === 1 && hit.ones.length) return open(hit.ones[0].id, false);
    const corners = await tiles.extent(hit);
    if (!corners) return;
    const [northWest, southEast] = corners.map((corner) => map.project(corner));
    if (hit.count > 1 && map.getZoom() < map.getMaxZoom() && northWest.distanceTo(southEast) * 2 ** (18 - map.getZoom()) > 1) {
      return map.fitBounds(corners, { padding: [60, 60], animate: false });
    }
    const middle = L.latLngBounds(corners).getCenter();
    const page = await api.near({ ...view.filters, lat: middle.lat, lng: middle.lng, limit: Math.min(1000, hit.count) });
    const found = store.putPage(page);
    if (hit.count === 1 && found.length) return open(found[0].id, false);
    list.spot = found;
    close();
    find("list").querySelector("button")?.focus();
    say(`${found.length} landmarks lie at this spot: choose one in the list.`);
  }

  // For the keyboard the map's centre is the pointer. Other tools come first, because Enter may complete one of them.
  find("map").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== find("map") || measure.isOn || area.isOn) return;
    const containerPoint = map.getSize().divideBy(2);
    if (!points.at(containerPoint)) return say("Nothing lies at the centre of the map.");
    press({ latlng: map.getCenter(), containerPoint }).catch((error) => say(error.message));
  }, true);
  map.on("click", (event) => press(event).catch((error) => say(error.message)));
  map.on("contextmenu", (event) => edits.add(event.latlng.wrap()));
  find("add").addEventListener("click", () => edits.add(map.getCenter().wrap()));
  find("fit").addEventListener("click", () => { list.spot = null; fit(); list.draw(); });
  find("all").addEventListener("click", () => { list.spot = null; list.draw(); });
  find("share").addEventListener("click", async () => {
    view.write();
    try { await navigator.clipboard.writeText(location.href); say("The link to this view was copied."); }
    catch { say("Copy the link from the address bar: it opens this view."); }
  });
  list.onfilter = () => tiles.clear();
  list.onkept = (at) => { kept = at; };
  list.onanswer = () => { points.redraw(); showState(); };
  map.on("moveend", () => { if (!own.at) list.renew(150); });
  tiles.addEventListener("change", ({ detail: tile }) => {
    for (const kind of tile?.kinds ?? []) store.learn("kind", kind);
    points.redraw();
  });

  let isFitted = view.isGiven, state = "connecting", kept = null, detailDue = 0, pointsDue = 0;
  function showState() {
    if (!states[state]) return;
    const text = kept ? `Offline: the last result, of ${kept.toLocaleString()}`
      : state === "reconnecting" ? states[state] : `${states[state]} · revision ${store.rev.toLocaleString("en")}`;
    if (find("live").textContent !== text) find("live").textContent = text;
    find("live").dataset.state = state;
  }
  feed.addEventListener("change", ({ detail: change }) => {
    store.apply(change);
    list.apply(change);
    area.apply(change);
    // Redraw only a few times a second, which is enough for the eye and leaves time for the person's own actions.
    if (tiles.apply(change) || change.landmark?.id === view.selected) {
      pointsDue ||= setTimeout(() => { pointsDue = 0; points.redraw(); }, 100);
    }
    if (track.id && (change.landmark ?? change.before).id === track.id) track.grow();
    if (detail.id && (change.landmark ?? change.before).id === detail.id) {
      detailDue ||= setTimeout(() => { detailDue = 0; if (detail.id) detail.show(detail.id, false); }, 150);
    }
    if (!isFitted && change.op === "added") { isFitted = true; fit(); }
  });
  feed.addEventListener("broken", () => checkSession());
  const showAgain = () => {
    track.grow();
    if (detail.id) detail.show(detail.id, false);
  };
  feed.addEventListener("renewed", () => { showAgain(); tiles.doubt(); list.renew(0); });
  setInterval(() => {
    const shown = tiles.corners();
    feed.look(shown.length ? [...shown, ...area.corners()] : []);
  }, 300);
  // A busy stream does not tell what lies elsewhere: the other rows of the list, their number, and an open landmark.
  let askedRev = 0;
  setInterval(() => {
    if (!feed.area || document.hidden || store.rev === askedRev) return;
    askedRev = store.rev;
    tiles.doubt(0);
    list.renew(0);
    const shown = store.landmarks.get(detail.id);
    if (shown && !map.getBounds().contains(shown)) showAgain();
  }, 10000);
  let stateDue = 0;
  feed.addEventListener("state", ({ detail: told }) => {
    state = told.state;
    if (state !== "reconnecting") {
      kept = null;
      connected();
    }
    store.rev = Math.max(store.rev, told.rev);
    // Update the text only a few times a second, because each update costs a layout.
    stateDue ||= setTimeout(() => { stateDue = 0; showState(); }, 200);
  });
  startPerson();
  startOffline(tiles, () => list.renew(0));
  startConverter();
  startSearch(list, map, open);
  list.renew(0);
  feed.start(session.account?.number);
  if (view.selected) open(view.selected, false);
  if (!isFitted) isFitted = await fit();
}

if (window.L) start();
else {
  document.querySelector("main").replaceChildren(element("div", { className: "failure" }, element("h1", {}, "Leaflet is not installed"),
    element("p", {}, "The map needs it: install the package libjs-leaflet on the machine of the service, then load this page again.")));
}
