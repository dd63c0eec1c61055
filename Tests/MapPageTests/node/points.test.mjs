// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { frame, renew, StageMap } from "./stage.mjs";

const { State } = await import("../../../Sources/CMapPage/Assets/state.js");
const { PointLayer } = await import("../../../Sources/CMapPage/Assets/pointlayer.js");
const { Tile } = await import("../../../Sources/CMapPage/Assets/tile.js");
const { square } = await import("../../../Sources/CMapPage/Assets/mercator.js");

globalThis.fetch = async () => new Response("{}", { status: 404 });
beforeEach(renew);

function seeded(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return [...bytes, value];
};

/// The tile of the whole world, with a count in each third cell.
function world(random) {
  const made = [1, 0, ...varint(1365)];
  for (let cell = 0; cell < 1365; cell += 1) made.push(...varint(2), ...varint(2 * (1 + Math.floor(random() ** 3 * 900))));
  const tile = new Tile(0, 0, 0);
  tile.fill(Uint8Array.from(made), "a");
  return tile;
}

/// Additions, moves and removals as [before, after].
function changes(many, random) {
  const present = [];
  return Array.from({ length: many }, (_, number) => {
    const place = { lat: random() * 150 - 75, lng: random() * 360 - 180 }, kind = ["cafe", "qanat", null][number % 3];
    const made = { id: `${number}`, kind, source: number % 2 ? { name: "s" } : null, ...place, ...square(place) };
    const old = present.length && random() < 0.6 ? present.splice(Math.floor(random() * present.length), 1)[0] : null;
    const now = old && random() < 0.5 ? null : old ? { ...made, id: old.id } : made;
    if (now) present.push(now);
    return [old, now];
  });
}

function layer(tile, [lat, lng, zoom] = [10, 170, 2]) {
  const map = new StageMap(lat, lng, zoom), state = new State();
  const tiles = { begin: () => {}, show: () => tile };
  return { map, points: new PointLayer({ map, tiles, state, store: { landmarks: new Map() }, openIDs: () => null }) };
}

test("what is drawn after many changes is what a new page draws", () => {
  const [tile, other] = [0, 1].map(() => world(seeded(8))), { map, points } = layer(tile);
  const strokes = (calls) => calls.filter(({ name }) => ["arc", "lineTo", "fill", "fillText"].includes(name))
    .map(({ name, rest, fill, alpha }) => `${name} ${rest} ${name.startsWith("fill") ? `${fill} ${alpha}` : ""}`);
  for (const [before, after] of changes(100, seeded(9))) {
    for (const each of [tile, other]) each.apply(before, after, true);
    points.redraw();
    map.drawn("points");
  }
  points.redraw();
  const drawn = strokes(map.drawn("points"));
  renew();
  assert.ok(drawn.length > 200);
  assert.deepEqual(drawn, strokes(layer(other).map.drawn("points")));
});

test("all copies of the world show the same circles, and a press finds each of them", () => {
  const { map, points } = layer(world(seeded(10)), [0, 0, 1]), calls = map.drawn("points");
  const arcs = calls.filter(({ name }) => name === "arc").map(({ rest }) => [Math.round(rest[0]), Math.round(rest[1]), rest[2]]);
  // At this zoom level a copy is 512 pixels wide.
  const { x: west } = map.getPixelBounds().min, known = new Set(arcs.map(String));
  const left = arcs.filter(([x, , radius]) => x > west + 30 + radius && x < west + 250);
  assert.ok(left.length > 15, `${left.length}`);
  for (const [x, y, radius] of left) assert.ok(known.has(String([x + 512, y, radius])), `${x} ${y}`);
  const [x, y] = left[0], { y: north } = map.getPixelBounds().min;
  const [first, second] = [0, 512].map((more) => points.at({ x: x - west + more, y: y - north }));
  assert.deepEqual([second.count, Math.round(1e6 * (second.west - first.west))], [first.count, 1e6]);
});

test("a landmark that stands apart is in no circle of any copy", () => {
  const tile = new Tile(0, 0, 0), [before, after] = [null, { id: "a", kind: null, source: null, lat: 0, lng: 0, ...square({ lat: 0, lng: 0 }) }];
  tile.fill(Uint8Array.from([1, 0, 0]), "a");
  tile.apply(before, after, true);
  const map = new StageMap(0, 0, 1), tiles = { begin: () => {}, show: () => tile };
  const points = new PointLayer({ map, tiles, state: new State({ selected: "a" }), openIDs: () => null, store: { landmarks: new Map([["a", { ...after, name: "A" }]]) } });
  const texts = map.drawn("points").filter(({ name }) => name === "fillText");
  assert.deepEqual([texts.length, points.at({ x: 400, y: 300 }).isSelected, points.at({ x: 400 - 512, y: 300 })], [1, true, null]);
});

test("pins and circles that are alike are painted once", () => {
  const { map } = layer(world(seeded(11)));
  frame();
  const copies = map.canvas("points").getContext().calls.filter(({ name }) => name === "drawImage").map(({ rest }) => rest[0]);
  assert.ok(copies.length > 60 && new Set(copies).size < copies.length / 2, `${copies.length} ${new Set(copies).size}`);
  for (const each of new Set(copies)) assert.equal(each.getContext().calls.filter(({ name }) => name === "stroke").length, 1);
});

test("several changes are drawn together, at once after a pause and else after a rest", (context) => {
  const { map, points } = layer(world(seeded(12))), timers = [];
  let now = 1000;
  context.mock.method(performance, "now", () => now);
  context.mock.method(globalThis, "setTimeout", (action, time) => timers.push({ action, time }));
  const isDrawn = () => map.drawn("points").some(({ name }) => name === "clearRect");
  /// Returns how long the drawing of several changes waits; then that many milliseconds pass.
  const soon = (pause) => {
    for (let turn = 0; turn < 5; turn += 1) points.redrawSoon();
    const [{ action, time: wait }, ...others] = timers.splice(0);
    assert.deepEqual([others, isDrawn()], [[], false]);
    now += wait;
    action();
    assert.equal(isDrawn(), true);
    now += pause;
    return wait;
  };
  assert.equal(isDrawn(), true);
  now += 100;
  assert.deepEqual([soon(0), soon(5), soon(100), soon(0)], [0, 20, 15, 0]);
});

test("a slow drawing is followed by as long a rest", (context) => {
  const { map, points } = layer(world(seeded(13))), { getPixelBounds } = map, waits = [];
  let now = 1000;
  context.mock.method(performance, "now", () => now);
  context.mock.method(globalThis, "setTimeout", (_, time) => waits.push(time));
  map.getPixelBounds = () => {
    [now, map.getPixelBounds] = [now + 60, getPixelBounds];
    return map.getPixelBounds();
  };
  map.drawn("points");
  now += 10;
  points.redrawSoon();
  assert.deepEqual(waits, [70]);
});
