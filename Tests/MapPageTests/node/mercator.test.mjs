// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { globe, line, square } from "../../../Sources/CMapPage/Assets/mercator.js";

test("a line goes the shorter way around the earth, in the copy of the world that is shown", () => {
  const lng = (places, from) => line(places.map((each) => ({ lat: 0, lng: each })), from).map((each) => each.lng);
  assert.deepEqual(lng([177, -178], 179), [177, 182]);
  assert.deepEqual(lng([-178, 177], 179), [182, 177]);
  assert.deepEqual(lng([-178, 177], -179), [-178, -183]);
  assert.deepEqual(lng([10, 20], 730), [730, 740]);
  assert.deepEqual(lng([170, -170, -10, 10], 0), [170, 190, 350, 370]);
});

test("the square and the globe are each other's inverse", () => {
  for (const place of [{ lat: 0, lng: 0 }, { lat: -33.86, lng: 151.21 }, { lat: 85, lng: -179.99 }]) {
    const found = globe(square(place));
    assert.ok(Math.abs(found.lat - place.lat) < 1e-9 && Math.abs(found.lng - place.lng) < 1e-9, JSON.stringify(found));
  }
});

test("the 180th meridian is one line, and the poles are points", () => {
  assert.deepEqual(square({ lat: 0, lng: 180 }), square({ lat: 0, lng: -180 }));
  assert.deepEqual(square({ lat: 90, lng: 0 }), square({ lat: 89.9, lng: 0 }));
});
