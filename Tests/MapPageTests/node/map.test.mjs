// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { find, frame, renew, StageMap } from "./stage.mjs";

const { State } = await import("../../../Sources/CMapPage/Assets/state.js");
const { Part } = await import("../../../Sources/CMapPage/Assets/part.js");
const { Overlay } = await import("../../../Sources/CMapPage/Assets/overlay.js");
const { PointLayer } = await import("../../../Sources/CMapPage/Assets/pointlayer.js");
const { Measure } = await import("../../../Sources/CMapPage/Assets/measure.js");
const { AreaWatch } = await import("../../../Sources/CMapPage/Assets/area.js");
const { OwnPosition } = await import("../../../Sources/CMapPage/Assets/position.js");
const { Track } = await import("../../../Sources/CMapPage/Assets/track.js");
const { startPress } = await import("../../../Sources/CMapPage/Assets/popover.js");
const { square } = await import("../../../Sources/CMapPage/Assets/mercator.js");

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
let answers = {};
globalThis.fetch = async (path) => {
  const found = Object.entries(answers).find(([part]) => String(path).includes(part));
  return new Response(JSON.stringify(found?.[1] ?? {}), { status: found ? 200 : 404 });
};

/// A map with landmarks that are known one by one, as `[id, lat, lng, kind, isSourced]`.
function stage(landmarks, [lat, lng, zoom], more = {}) {
  const map = new StageMap(lat, lng, zoom), state = new State({ area: more.area ?? [] }), store = { landmarks: new Map(), put(each) { this.landmarks.set(each.id, each); } };
  const ones = landmarks.map(([id, lat, lng, kind = null, isSourced = false]) => {
    store.put({ id, lat, lng, kind, name: `Name of ${id}`, source: isSourced ? { name: "s" } : null });
    const one = { id, kind, isSourced, lat, lng, ...square({ lat, lng }) };
    return { x: one.x, y: one.y, count: 1, reach: 0, one };
  });
  const kept = new Map(), tiles = {
    begin: () => {},
    show(z, x, y) {
      const key = `${z}/${x}/${y}`, scale = 2 ** z;
      if (!kept.has(key)) kept.set(key, ones.filter((each) => Math.floor(each.x * scale) === x && Math.floor(each.y * scale) === y));
      return { z, x, y, items: () => kept.get(key) };
    },
    extent: async () => more.extent ?? null,
  };
  const overlay = new Overlay(map), points = new PointLayer({ map, tiles, store, state, openIDs: () => more.open ?? null, hits: () => more.hits ?? null });
  const measure = new Measure(map, overlay, state), area = new AreaWatch(map, overlay, state), told = [];
  const [measuring, watching] = [measure, area].map((now) => Object.assign(new Part(), { now }));
  startPress({ map, overlay, points, tiles, state, measure: measuring, area: watching, add: (at) => told.push(["add", at]), spot: (at) => told.push(["spot", at]) });
  return { map, state, store, overlay, points, measure, area, told, kept };
}

beforeEach(() => {
  answers = {};
  renew();
});

const circles = (calls) => calls.filter(({ name }) => name === "arc").map(({ rest }) => rest.slice(0, 3).map((each) => Math.round(each)).join(" "));
const texts = (calls) => calls.filter(({ name }) => name === "fillText").map(({ rest }) => rest[0]);
const said = () => find("notice").textContent;

test("the first press selects, and a press on nothing opens a popover but nothing else", async () => {
  const { map, state, told } = stage([["a", 0, 0], ["b", 0, 0.2]], [0, 0, 12]);
  frame();
  map.press(400, 300);
  assert.equal(state.selected, "a");
  map.press(100, 100);
  assert.equal(find("popover").hidden, true);
  await wait(320);
  assert.equal(find("popover").hidden, false);
  assert.deepEqual([state.selected, told], [null, []]);
  const buttons = find("popover").buttons;
  assert.deepEqual(buttons.map((each) => each.textContent), ["Add here", "Measure from here", "What is here?"]);
  buttons[0].press();
  assert.equal(told[0][0], "add");
  assert.deepEqual([find("popover").hidden, told.length], [true, 1]);
});

test("a double click zooms and opens nothing, and a press beside the popover closes it", async () => {
  const { map } = stage([], [0, 0, 12]);
  frame();
  map.press(100, 100);
  map.press(100, 100, 2);
  map.fire("dblclick");
  await wait(320);
  assert.equal(find("popover").hidden, true);
  map.press(100, 100);
  await wait(320);
  assert.equal(find("popover").hidden, false);
  map.press(500, 400);
  await wait(320);
  assert.equal(find("popover").hidden, true);
});

test("the other button opens the popover, but not while measuring or drawing", () => {
  const { map, state } = stage([], [0, 0, 12]);
  const ask = () => map.fire("contextmenu", { latlng: map.containerPointToLatLng({ x: 100, y: 100 }) });
  for (const mode of ["measure", "area"]) {
    state.set({ mode });
    ask();
    assert.equal(find("popover").hidden, true);
    assert.equal(map.doubleClickZoom.isOn, false);
  }
  state.set({ mode: null });
  ask();
  assert.deepEqual([find("popover").hidden, map.doubleClickZoom.isOn], [false, true]);
});

test("Measure from here sets the first point, and the number stays with the line", () => {
  const { map, state } = stage([], [0, 0, 12]);
  map.fire("contextmenu", { latlng: map.containerPointToLatLng({ x: 400, y: 300 }) });
  find("popover").buttons[1].press();
  assert.equal(state.mode, "measure");
  map.press(500, 300);
  assert.match(find("task").textContent, /^\d.*km E/);
  assert.match(texts(map.drawn("overlay")).join(), /km E/);
  state.set({ mode: null });
  frame();
  assert.deepEqual([map.canvas("overlay").width, find("task").hidden], [0, true]);
});

test("over the 180th meridian the measured line and both points are where they belong", () => {
  const { map, state } = stage([], [-17, 179.6, 8]);
  state.set({ mode: "measure" });
  map.press(300, 300);
  map.press(500, 300);
  const found = circles(map.drawn("overlay"));
  assert.deepEqual(found, ["300 300 5", "500 300 5"]);
  // The same in the next copy of the world.
  map.setView({ lat: -17, lng: 179.6 - 360 });
  assert.deepEqual(circles(map.drawn("overlay")), found);
});

test("a double click sets one point of a measurement", () => {
  const { map, state, measure } = stage([], [0, 0, 8]);
  state.set({ mode: "measure" });
  map.press(300, 300);
  map.press(300, 300, 2);
  assert.equal(measure.points.length, 1);
});

test("measuring and drawing an area exclude each other", () => {
  const { state } = stage([], [0, 0, 12]);
  find("measure").press();
  find("area").press();
  assert.deepEqual([state.mode, find("measure").attributes["aria-pressed"], find("area").attributes["aria-pressed"]], ["area", "false", "true"]);
});

test("an area is drawn, watched and ended", async () => {
  answers = { "/v1/near": { landmarks: [{ id: "x", name: "X" }], cursor: null } };
  const { map, state, area } = stage([], [0, 0, 12]);
  state.set({ mode: "area" });
  for (const [x, y] of [[300, 200], [500, 200], [400, 400]]) map.press(x, y);
  map.press(300, 200);
  assert.deepEqual([state.mode, state.area.length], [null, 3]);
  await wait(20);
  assert.match(said(), /The area is watched. 1 landmark is in it/);
  // After a gap the difference is told.
  answers = { "/v1/near": { landmarks: [{ id: "y", name: "Kite" }], cursor: null } };
  await area.renew();
  assert.match(said(), /Kite entered the area, and 1 left it/);
  // One's own changes are no news.
  area.apply({ op: "added", user: "Maya", landmark: { id: "w", name: "Tram", lat: 0, lng: 0 } });
  area.apply({ op: "added", user: "ann", landmark: { id: "z", name: "Bus", lat: 0, lng: 0 } });
  await wait(750);
  assert.match(said(), /^Bus was added in the area. $/);
  find("area").press();
  assert.deepEqual([state.area, area.corners()], [[], []]);
});

test("a kept area is drawn, counted and watched", async () => {
  const harbour = { id: 7, name: "Harbour", user: "ann", lat: null, lng: null, radius: null, within: "-1.0,-1.0,1.0,1.0", kinds: ["boat"], users: [], sources: [] };
  answers = { "/v1/fences": { fences: [harbour], next: null }, "fence=Harbour": { landmarks: [{ id: "a", name: "Ferry" }], cursor: null } };
  const { map, state, area } = stage([], [0, 0, 6]);
  state.set({ mode: "area" });
  find("task").buttons.find(({ textContent }) => textContent === "Kept areas").press();
  await wait(50);
  const listed = document.body.children.at(-1);
  assert.match(listed.textContent, /Harbour1 landmark/);
  listed.buttons[0].press();
  await wait(50);
  assert.deepEqual([state.mode, Boolean(map.fitted), find("task").textContent], [null, true, "Harbour1 landmarkKept areasDone"]);
  assert.deepEqual(texts(map.drawn("overlay")), ["Harbour"]);
  assert.deepEqual(area.corners().map(({ lat, lng }) => `${lat},${lng}`), ["-1,-1", "-1,1", "1,1", "1,-1"]);
  const boat = { id: "b", name: "Tug", kind: "boat", lat: 0, lng: 0 };
  for (const landmark of [boat, { ...boat, id: "c", kind: "pub" }, { ...boat, id: "d", lng: 2 }]) area.apply({ op: "added", user: "ben", landmark });
  // One's own changes count, but are no news.
  area.apply({ op: "removed", user: "Maya", landmark: { ...boat, id: "a" } });
  assert.match(find("task").textContent, /^Harbour1 landmark/);
  await wait(750);
  assert.equal(said(), "Tug entered Harbour. ");
  area.apply({ op: "changed", user: "ben", landmark: { ...boat, kind: "wreck" }, before: boat });
  assert.match(find("task").textContent, /^Harbour0 landmarks/);
  // After a gap the difference is told.
  await area.renew();
  await wait(800);
  assert.equal(said(), "Tug left Harbour. Ferry entered Harbour. ");
  answers["fence=Harbour"] = { landmarks: [], cursor: null };
  await area.renew();
  await wait(800);
  assert.equal(said(), "1 landmark left Harbour. ");
  // Near an edge only the service can tell.
  answers["fence=Harbour"] = { landmarks: [boat], cursor: null };
  area.apply({ op: "added", user: "ben", landmark: { ...boat, lat: 1 } });
  assert.match(find("task").textContent, /^Harbour0 landmarks/);
  await wait(1100);
  assert.match(find("task").textContent, /^Harbour1 landmark/);
  find("task").buttons.at(-1).press();
  assert.deepEqual([map.drawn("overlay").length, area.corners(), find("task").textContent], [0, [], ""]);
});

test("circles keep their places while the map moves", () => {
  const many = Array.from({ length: 400 }, (_, index) => [`${index}`, Math.sin(index * 7.1) * 0.09, Math.cos(index * 3.3) * 0.12, null, index % 2 === 0]);
  const { map, kept } = stage(many, [0, 0, 11]);
  const first = new Set(circles(map.drawn("points")));
  assert.ok(first.size > 20 && first.size < 400);
  for (let step = 1; step <= 20; step += 1) {
    map.setView({ lat: 0, lng: step * 0.002 });
    const found = circles(map.drawn("points"));
    assert.ok(found.length && found.every((each) => first.has(each)), `${step}`);
  }
  assert.ok(kept.size < 12);
});

test("people's pins have another shape, kinds have glyphs or letters, and mixed circles the neutral colour", () => {
  const { map } = stage([["a", 0, 0, "cafe", true], ["b", 0, 0.03, "qanat", true], ["c", 0, 0.06], ["d", 0.03, 0, null, true], ["e", 0.03, 0.0001]], [0, 0, 12]);
  const calls = map.drawn("points");
  assert.ok(calls.some(({ name, rest }) => name === "fill" && rest[1] === "evenodd"));
  assert.ok(texts(calls).includes("Q") && texts(calls).includes("2"));
  const fills = new Set(calls.filter(({ name }) => name === "fill").map(({ fill }) => fill));
  for (const each of ["#0b63b8", "#b5471b", "#56616e"]) assert.ok(fills.has(each), each);
});

test("a pin under the mouse has a pointer and is told, and what the list points at is drawn", () => {
  const { map, state } = stage([["a", 0, 0], ["b", 0, 0.03]], [0, 0, 12]), heard = [];
  state.addEventListener("hover", ({ detail }) => heard.push(detail));
  frame();
  const move = (x, y) => map.fire("mousemove", { containerPoint: { x, y }, originalEvent: { buttons: 0 } });
  move(402, 301);
  assert.deepEqual([map.container.style.cursor, heard], ["pointer", ["a"]]);
  move(405, 301);
  move(100, 100);
  assert.deepEqual([map.container.style.cursor, heard], ["", ["a", null]]);
  map.drawn("points");
  state.hover("b");
  const calls = map.drawn("points");
  assert.ok(calls.some(({ name }) => name === "roundRect"));
  assert.equal(texts(calls).at(-1), "Name of b");
});

test("hits of a search stand out", () => {
  const all = [["a", 0, 0], ["b", 0, 0.03]], { map, store } = stage(all, [0, 0, 9], { hits: [{ id: "b", lat: 0, lng: 0.03, name: "Name of b" }] });
  assert.ok(store.landmarks.size);
  const calls = map.drawn("points"), alphas = calls.filter(({ name }) => name === "fill").map(({ alpha }) => alpha);
  assert.deepEqual(alphas.sort(), [0.35, 1]);
  assert.ok(texts(calls).includes("Name of b"));
});

test("many at one spot are listed with their number, and a circle of several spots is opened", async () => {
  const corner = (lat, lng) => ({ lat, lng }), pile = Array.from({ length: 150 }, (_, index) => [`${index}`, 0, 0]);
  const one = stage(pile, [0, 0, 14], { extent: [corner(0, 0), corner(0, 0)] });
  frame();
  one.map.press(400, 300);
  await wait(5);
  assert.deepEqual(one.told, [["spot", { lat: 0, lng: 0, radius: 1, count: 150 }]]);
  const two = stage([["a", 0, 0], ["b", 0, 0.001]], [0, 0, 12], { extent: [corner(0, 0), corner(0, 0.001)] });
  frame();
  two.map.press(400, 300);
  await wait(5);
  assert.deepEqual([two.told, two.map.fitted.length], [[], 2]);
});

test("in the mode of adding a press tells the place, and the draft is drawn", () => {
  const { map, state } = stage([["a", 0, 0]], [0, 0, 12]), places = [];
  state.addEventListener("place", ({ detail }) => places.push(detail));
  frame();
  state.set({ mode: "add" });
  assert.equal(find("crosshair").hidden, false);
  map.press(400, 300);
  assert.deepEqual([places.length, state.selected, Math.abs(places[0].lat) < 0.001], [1, null, true]);
  state.dispatchEvent(new CustomEvent("draft", { detail: places[0] }));
  assert.ok(circles(map.drawn("overlay")).length);
  state.dispatchEvent(new CustomEvent("draft", { detail: null }));
  state.set({ mode: null });
  frame();
  assert.deepEqual([map.canvas("overlay").width, find("crosshair").hidden], [0, true]);
});

test("the button comes back to one's position before it ends it, and tells the coordinates and the town", async () => {
  answers = { "/v1/where": { text: "1 km E of Sydney", attribution: "GeoNames" } };
  let tell = null, watched = 0;
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { geolocation: {
    watchPosition: (handler) => { tell = (latitude, longitude) => handler({ coords: { latitude, longitude, accuracy: 20 } }); return ++watched; },
    clearWatch: () => { tell = null; } } } });
  const { map, overlay } = stage([], [0, 0, 5]), own = new OwnPosition(map, overlay, () => {});
  const press = () => find("locate").press();
  press();
  tell(-33.86, 151.21);
  assert.deepEqual([map.zoom, map.centre.lat], [13, -33.86]);
  await wait(20);
  assert.match(find("task").textContent, /-33.86000, 151.21000 ± 20 m · 1 km E of Sydney/);
  map.fire("dragstart");
  map.setView({ lat: -33, lng: 150 }, 6);
  tell(-33.87, 151.22);
  assert.equal(map.centre.lat, -33);
  press();
  assert.deepEqual([map.centre.lat, map.zoom, own.at !== null], [-33.87, 15, true]);
  assert.ok(circles(map.drawn("overlay")).includes("400 300 7"));
  press();
  frame();
  assert.deepEqual([own.at, tell, find("task").hidden, map.canvas("overlay").width], [null, null, true, 0]);
});

test("a track goes over the 180th meridian, and leaves the pin at its end free", async () => {
  const at = "2026-01-01T00:00:00Z";
  answers = { "/track": { track: [{ lat: 0, lng: 179.9, rev: 1, at }, { lat: 0, lng: -179.9, rev: 2, at }], next: null } };
  const { map, overlay } = stage([], [0, 179.9, 10]), track = new Track(map, overlay);
  map.getBounds = () => ({ contains: () => true });
  await track.show("a");
  const calls = map.drawn("overlay"), line = calls.filter(({ name }) => name === "lineTo").map(({ rest }) => Math.round(rest[0]));
  assert.deepEqual(line, [400, 546]);
  assert.ok(circles(calls).includes("546 300 15"));
});
