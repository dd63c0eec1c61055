// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { Detail } from "./detail.js";
import { element, find } from "./dom.js";
import { Edits } from "./edits.js";
import { Feed } from "./feed.js";
import { landLayer } from "./landlayer.js";
import { List } from "./list.js";
import { Measure } from "./measure.js";
import { say } from "./notice.js";
import { startPerson } from "./person.js";
import { PointLayer } from "./pointlayer.js";
import { OwnPosition } from "./position.js";
import { startSearch } from "./search.js";
import { Store } from "./store.js";
import { View } from "./view.js";

/// Above this many the page asks for what is near the view instead of for everything.
const snapshotMost = 20000;
const states = { live: "Live", behind: "Behind: storage does not answer", reconnecting: "Reconnecting…" };

async function start() {
  const store = new Store(), feed = new Feed(store);
  const map = L.map("map", { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, minZoom: 1,
    maxZoom: 18, zoomControl: false, worldCopyJump: true, inertia: !matchMedia("(prefers-reduced-motion: reduce)").matches });
  L.control.zoom({ position: "topright" }).addTo(map);
  L.control.scale({ imperial: false, position: "topright" }).addTo(map);
  map.attributionControl.setPrefix("Leaflet").addAttribution("Land: Natural Earth");
  const view = new View(map);
  landLayer(map);
  const own = new OwnPosition(map, () => list.draw());
  const origin = () => own.at ?? map.getCenter().wrap();
  const list = new List(store, view, origin, (id) => open(id));
  const points = new PointLayer(map, () => list.shown(), () => view.selected);
  const measure = new Measure(map);
  const edits = new Edits(map, (id) => (id ? open(id, false) : close()));
  const detail = new Detail(store, edits, () => close());
  let isFitted = view.isGiven;

  async function open(id, moves = true) {
    view.selected = id;
    const landmark = await detail.show(id);
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
  function fit() {
    const shown = list.shown().filter((landmark) => Math.abs(landmark.lat) <= 85);
    if (shown.length) map.fitBounds(L.latLngBounds(shown.map(({ lat, lng }) => [lat, lng])), { padding: [70, 70], maxZoom: 15 });
  }
  function press(event) {
    if (measure.isOn) return measure.take(event.latlng.wrap());
    const hit = points.at(event.containerPoint);
    if (hit.length === 1) return open(hit[0].id, false);
    if (hit.length === 0) return edits.add(event.latlng.wrap());
    const bounds = L.latLngBounds(hit.map(({ lat, lng }) => [lat, lng]));
    const reach = map.latLngToLayerPoint(bounds.getNorthWest()).distanceTo(map.latLngToLayerPoint(bounds.getSouthEast()));
    if (map.getZoom() < map.getMaxZoom() && reach > 1) return map.fitBounds(bounds, { padding: [60, 60] });
    list.spot = hit.map((landmark) => landmark.id);
    close();
  }

  map.on("click", press);
  map.on("contextmenu", (event) => edits.add(event.latlng.wrap()));
  find("add").addEventListener("click", () => edits.add(map.getCenter().wrap()));
  find("fit").addEventListener("click", () => { list.spot = null; fit(); list.draw(); });
  find("share").addEventListener("click", async () => {
    view.write();
    try { await navigator.clipboard.writeText(location.href); say("The link to this view was copied."); }
    catch { say(`Copy the link from the address bar: it opens this view.`); }
  });
  list.onfilter = () => points.redraw();

  store.addEventListener("change", (event) => {
    if (!isFitted && store.landmarks.size) { isFitted = true; fit(); }
    points.redraw();
    if (detail.id && event.detail.has(detail.id)) detail.show(detail.id, false);
  });
  // The list is written at most twice a second, because each writing costs a layout.
  let dirty = true;
  store.addEventListener("change", () => { dirty = true; });
  setInterval(() => { if (dirty && !list.found) { dirty = false; list.draw(); } }, 500);
  feed.addEventListener("state", ({ detail: state }) => {
    const text = state === "reconnecting" ? states[state] : `${states[state]} · revision ${store.rev.toLocaleString("en")}`;
    if (find("live").textContent !== text) find("live").textContent = text;
    find("live").dataset.state = state;
  });
  startPerson();
  startSearch(list, map, open);
  const whole = await api.status().then((status) => (status.query?.landmarks ?? 0) <= snapshotMost, () => true);
  const look = async () => {
    const { lat, lng } = map.getCenter().wrap();
    const found = await api.near({ lat, lng, limit: 1000 }).catch(() => ({ landmarks: [] }));
    for (const landmark of found.landmarks) store.take(landmark);
    store.tell();
  };
  if (!whole) { map.on("moveend", look); await look(); }
  map.on("moveend", () => { dirty = true; });
  feed.start(whole);
  if (view.selected) open(view.selected, false);
}

if (window.L) start();
else {
  document.querySelector("main").replaceChildren(element("div", { className: "failure" }, element("h1", {}, "Leaflet is not installed"),
    element("p", {}, "The map needs it: install the package libjs-leaflet on the machine of the service, then load this page again.")));
}
