// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, isInside, rings } from "../../../Sources/CMapPage/Assets/fence.js";
import { metres } from "../../../Sources/CMapPage/Assets/words.js";

const bare = { lat: null, lng: null, radius: null, within: null, kinds: [], users: [], sources: [] };
const fence = (parts) => ({ ...bare, ...parts, rings: rings({ ...bare, ...parts }) });
const at = (lat, lng, more = {}) => ({ lat, lng, ...more });
const polygon = (...coordinates) => ({ within: { type: "Polygon", coordinates } });

test("a circle holds what is in it; near its edge only the service can tell", () => {
  const harbour = fence({ lat: -33.86, lng: 151.21, radius: 1000 });
  assert.equal(holds(harbour, at(-33.86, 151.21)), true);
  assert.equal(holds(harbour, at(-33.86, 151.25)), false);
  for (const corner of harbour.rings[0]) {
    assert.ok(Math.abs(metres(harbour, corner) - 1000) < 0.01);
    assert.equal(holds(harbour, corner), null);
  }
  assert.equal(holds(fence({ lat: 0, lng: 179.99, radius: 5000 }), at(0, -179.99)), true);
});

test("a box holds what is in it, also over the 180th meridian; its edges are left to the service", () => {
  const box = fence({ within: "-34.0,151.0,-33.5,151.5" }), pacific = fence({ within: "-10.0,170.0,10.0,-170.0" });
  assert.deepEqual([at(-33.8, 151.2), at(-33.8, 151.6), at(-34.1, 151.2), at(-34, 151.2), at(-33.8, 151)].map((each) => holds(box, each)),
    [true, false, false, null, null]);
  assert.deepEqual([at(0, 175), at(0, -175), at(0, 165), at(0, -165), at(0, 180), at(0, -180)].map((each) => holds(pacific, each)),
    [true, true, false, false, true, true]);
});

test("a place is in a polygon if an odd number of its rings holds it", () => {
  const outer = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]], hole = [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]], far = [[20, 0], [22, 0], [21, 2], [20, 0]];
  const land = fence(polygon(outer, hole, far));
  assert.deepEqual(land.rings.map(({ length }) => length), [4, 4, 3]);
  assert.deepEqual([at(1, 1), at(5, 5), at(1, 21), at(1, 15), at(4, 5), at(0, 0)].map((each) => holds(land, each)),
    [true, false, true, false, null, null]);
  assert.equal(isInside(land.rings, at(90, 5)), null);
  // Beyond ±180, as a ring may go on.
  assert.equal(holds(fence(polygon([[175, -5], [190, -5], [190, 5], [175, 5], [175, -5]])), at(0, -175)), true);
});

test("kinds, users and sources count before the place, and an empty text stands for none", () => {
  const cafes = fence({ within: "0.0,0.0,10.0,10.0", kinds: ["cafe"] });
  assert.deepEqual([holds(cafes, at(5, 5, { kind: "cafe" })), holds(cafes, at(5, 5, { kind: "pub" })), holds(cafes, at(5, 5, { kind: null })),
    holds(cafes, at(0, 5, { kind: "pub" }))], [true, false, false, false]);
  const people = fence({ sources: [""], users: ["ann", "ben"] });
  assert.deepEqual(people.rings, []);
  assert.equal(holds(people, at(1, 2, { user: "ben", source: null })), true);
  assert.equal(holds(people, at(1, 2, { user: "ben", source: { name: "feed" } })), false);
  assert.equal(holds(people, at(1, 2, { user: "eve", source: null })), false);
});
