// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { read, startAddress, write } from "../../../Sources/CMapPage/Assets/address.js";
import { initial, State } from "../../../Sources/CMapPage/Assets/state.js";

const full = { ...initial, zoom: 12, lat: -33.86, lng: 151.21, given: true, kind: ["cafe", "gas station"], user: "Zoë & co", source: "osm",
  open: "now", order: "rated", query: "50% off #1", radius: 12, area: [{ lat: 1, lng: 2 }, { lat: 3, lng: 4 }, { lat: 5, lng: 6 }],
  selected: "a-b" };

test("what is written is read again", () => {
  const { mode, ...values } = full;
  assert.deepEqual(read(write(full)), values);
});

test("the names of older links stay", () => {
  assert.equal(write({ ...initial, zoom: 12, lat: -33.86, lng: 151.21, kind: ["beach"], user: "bob", open: "now", selected: "x" }),
    "#at=12/-33.86000/151.21000&kind=beach&user=bob&open=now&id=x");
});

test("an address without a view, or with half of one, names none", () => {
  for (const hash of ["", "#", "#id=x", "#at=", "#at=12", "#at=12/1", "#at=a/b/c", "#at=12//3"]) {
    const { given, zoom } = read(hash);
    assert.deepEqual([given, zoom], [false, undefined], hash);
  }
});

test("values beyond all bounds are bounded", () => {
  assert.deepEqual([read("#at=99/89.9/541")].map(({ zoom, lat, lng }) => [zoom, lat, lng]), [[18, 85, -179]]);
  assert.equal(read("#radius=1e9&order=rated").radius, 48);
  assert.equal(read("#radius=-3").radius, 0);
  assert.equal(read("#order=worst&open=yes").order, "near");
  assert.equal(read("#open=yes").open, "");
  assert.equal(read(`#q=${"x".repeat(5000)}`).query?.length, 200);
  assert.equal(read(Array.from({ length: 99 }, (_, index) => `kind=${index}`).join("&")).kind?.length, 20);
});

test("a text that is no area is none", () => {
  for (const text of ["1,2;3,4", "1,2;3,4;x,5", "91,2;3,4;5,6", "1,2,3;3,4;5,6"]) assert.deepEqual(read(`#area=${text}`).area, [], text);
});

/** A browser's history, whose `back` is done later, as in browsers. */
let entries, handlers;
beforeEach(() => {
  entries = [{ state: null, hash: "#at=2/20.00000/20.00000" }];
  handlers = {};
  const put = (state, hash) => { globalThis.location.hash = hash; return { state, hash }; };
  globalThis.location = { hash: entries[0].hash };
  globalThis.addEventListener = (name, handler) => { handlers[name] = handler; };
  globalThis.history = {
    get state() { return entries.at(-1).state; },
    pushState: (state, _, hash) => entries.push(put(state, hash)),
    replaceState: (state, _, hash) => { entries[entries.length - 1] = put(state, hash); },
    back: () => { isDue = true; },
  };
});
let isDue = false;
function arrive() {
  isDue = false;
  entries.pop();
  globalThis.location.hash = entries.at(-1).hash;
  handlers.popstate();
  handlers.hashchange();
}

test("Back closes what was opened, and nothing else makes entries", () => {
  const state = new State();
  startAddress(state);
  state.set({ user: "ann" });
  state.set({ zoom: 4 });
  assert.equal(entries.length, 1);
  state.set({ selected: "a" });
  assert.equal(entries.length, 2);
  state.set({ selected: "b" });
  assert.equal(entries.length, 2);
  arrive();
  assert.equal(state.selected, null);
  assert.equal(entries.length, 1);
});

test("who closes a landmark takes its entry back, and keeps the view", () => {
  const state = new State();
  startAddress(state);
  state.set({ selected: "a" });
  state.set({ zoom: 9 });
  state.set({ selected: null });
  assert.ok(isDue);
  // What changes until then is in the address afterwards.
  state.set({ user: "bob" });
  arrive();
  assert.equal(entries.length, 1);
  assert.match(entries[0].hash, /^#at=9\/.*user=bob$/);
  assert.deepEqual([state.zoom, state.user, state.selected], [9, "bob", null]);
});

test("a landmark that opens while another one's entry goes gets an entry of its own", () => {
  const state = new State();
  startAddress(state);
  state.set({ selected: "a" });
  state.set({ selected: null });
  state.set({ selected: "b" });
  arrive();
  assert.deepEqual(entries.map(({ hash }) => read(hash).selected), [null, "b"]);
  assert.equal(state.selected, "b");
});

test("a pasted link is heard, and makes no second entry", () => {
  const state = new State();
  startAddress(state);
  entries.push({ state: null, hash: "#at=12/48.85/2.35&id=x&q=museum" });
  globalThis.location.hash = entries[1].hash;
  handlers.popstate();
  handlers.hashchange();
  assert.deepEqual([state.zoom, state.lat, state.selected, state.query], [12, 48.85, "x", "museum"]);
  assert.equal(entries.length, 2);
  // Its end replaces the entry, because the one before may be another site.
  state.set({ selected: null });
  assert.equal(isDue, false);
  assert.doesNotMatch(entries[1].hash, /id=/);
});

test("a link without a view leaves the view", () => {
  const state = new State({ zoom: 7, lat: 1, lng: 2 });
  startAddress(state);
  globalThis.location.hash = "#id=x";
  handlers.hashchange();
  assert.deepEqual([state.zoom, state.selected], [7, "x"]);
});
