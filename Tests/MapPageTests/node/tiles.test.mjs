// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";

// Tiles.js asks again by the page's clock, of which one test makes the turns itself.
let turn = null;
globalThis.setInterval = (made) => { turn = made; };
globalThis.document = { hidden: true };
globalThis.dispatchEvent = () => true;
globalThis.addEventListener = () => {};
const { Tiles } = await import("../../../Sources/CMapPage/Assets/tiles.js");
const { decode } = await import("../../../Sources/CMapPage/Assets/tilebytes.js");
const { square } = await import("../../../Sources/CMapPage/Assets/mercator.js");

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return [...bytes, value];
};
const int32 = (degrees) => [...new Uint8Array(new Int32Array([Math.round(degrees * 1e7)]).buffer)];
const morton = (column, row) => {
  let number = 0;
  for (let bit = 0; bit < 6; bit += 1) number |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << 2 * bit + 1;
  return number;
};

/// The bytes of the tile with these landmarks, each listed.
function bytes(z, x, y, places) {
  const cells = new Map(), scale = 2 ** z * 64;
  for (const [index, place] of places.entries()) {
    const at = square(place), column = Math.floor(at.x * scale), row = Math.floor(at.y * scale);
    if (column >> 6 !== x || row >> 6 !== y) continue;
    const number = morton(column & 63, row & 63);
    cells.set(number, [...cells.get(number) ?? [], [...Array(15).fill(0), index, 1 + 128 * (index % 2), ...int32(place.lat), ...int32(place.lng)]]);
  }
  const made = [1, 1, 4, ...Buffer.from("view"), ...varint(cells.size)];
  let next = 0;
  for (const [number, listed] of [...cells].sort((a, b) => a[0] - b[0])) {
    made.push(...varint(number - next), ...varint(2 * listed.length + 1), ...listed.flat());
    next = number + 1;
  }
  return Uint8Array.from(made);
}

function serving(places) {
  globalThis.fetch = async (path) => {
    const [z, x, y] = path.split("/").slice(3).map(Number);
    return new Response(bytes(z, x, y, places), { headers: { ETag: '"a"' } });
  };
  return new Tiles(() => "", () => true);
}

const near = (corners, [north, west, south, east]) => {
  const found = [corners[0].lat, corners[0].lng, corners[1].lat, corners[1].lng];
  for (const [index, each] of [north, west, south, east].entries()) assert.ok(Math.abs(found[index] - each) < 0.001, `${found}`);
};

test("a point of a tile knows its kind and whether a source has it", () => {
  const { cells } = decode(bytes(0, 0, 0, [{ lat: 1, lng: 1 }, { lat: 40, lng: 40 }]));
  const ones = [...cells.values()].flatMap(({ listed }) => [...listed.values()]);
  assert.deepEqual(ones.map(({ kind, isSourced }) => [kind, isSourced]).sort(), [["view", false], ["view", true]]);
});

test("the box around all is the smallest, also over the 180th meridian", async () => {
  near(await serving([{ lat: -17, lng: 177 }, { lat: -18, lng: -178 }]).extent(), [-17, 177, -18, 182]);
  near(await serving([{ lat: 50, lng: 2 }, { lat: -30, lng: 150 }]).extent(), [50, 2, -30, 150]);
  near(await serving([{ lat: 50, lng: -120 }, { lat: -30, lng: 10 }]).extent(), [50, -120, -30, 10]);
  assert.equal(await serving([]).extent(), null);
});

test("a box over the 180th meridian has what lies on both of its sides", async () => {
  const tiles = serving([{ lat: -17, lng: 179.9 }, { lat: -17.1, lng: -179.9 }, { lat: -17, lng: 100 }]);
  const { y } = square({ lat: -17.05, lng: 0 });
  near(await tiles.extent({ west: 0.999, east: 1.001, north: y - 0.001, south: y + 0.001 }), [-17, 179.9, -17.1, 180.1]);
  near(await tiles.extent({ west: -0.001, east: 0.001, north: y - 0.001, south: y + 0.001 }), [-17, -180.1, -17.1, -179.9]);
});

test("a tile whose changes are told is asked for again after a second, once", async (context) => {
  let now = 1e6;
  context.mock.method(Date, "now", () => now);
  document.hidden = false;
  const tiles = serving([{ lat: 1, lng: 1 }]), { fetch } = globalThis, asked = [];
  globalThis.fetch = (path) => {
    asked.push(path.split("/").at(-3));
    return fetch(path);
  };
  const change = (id) => tiles.apply({ op: "added", landmark: { id, lat: 1, lng: 1 } });
  const pass = async (time) => {
    now += time;
    turn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return asked.splice(0).join();
  };
  tiles.begin();
  tiles.show(0, 0, 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(asked.splice(0), ["0"]);
  assert.equal(change("b"), true);
  assert.equal(await pass(900), "");
  assert.equal(await pass(100), "0");
  assert.equal(await pass(1000), "");
});
