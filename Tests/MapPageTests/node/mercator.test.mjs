// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { globe, square } from "../../../Sources/CMapPage/Assets/mercator.js";

test("a place and its point of the square are one another's", () => {
  for (const place of [{ lat: -33.8568, lng: 151.2153 }, { lat: 84, lng: -179.5 }, { lat: 0, lng: 0 }]) {
    const { lat, lng } = globe(square(place));
    assert.ok(Math.abs(lat - place.lat) < 1e-9 && Math.abs(lng - place.lng) < 1e-9);
  }
});

test("the 180th meridian is one line, and the poles are points", () => {
  assert.deepEqual(square({ lat: 0, lng: 180 }), square({ lat: 0, lng: -180 }));
  assert.deepEqual(square({ lat: 90, lng: 0 }), square({ lat: 89.9, lng: 0 }));
});
