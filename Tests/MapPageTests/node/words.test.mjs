// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";
import { amount, readPlace } from "../../../Sources/CMapPage/Assets/form.js";
import { away, bearing, distance, metres, opening, units } from "../../../Sources/CMapPage/Assets/words.js";

test("distances are told in the chosen units", () => {
  assert.deepEqual([0, 949, 1500, 9940, 12400, 1234567].map(distance), ["0 m", "949 m", "1.5 km", "9.9 km", "12 km", "1,235 km"]);
  units.isMiles = true;
  assert.deepEqual([100, 1609.344, 16093.44, 1609344].map(distance), ["328 ft", "1.0 mi", "10 mi", "1,000 mi"]);
  units.isMiles = false;
});

test("a landmark at the place is here", () => {
  const at = { lat: -33.86, lng: 151.21 };
  assert.equal(away(at, { ...at }), "here");
  assert.equal(away(at, { lat: -33.85, lng: 151.21 }), "1.1 km N");
  assert.equal(away({ lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 }), "22 km E");
  assert.ok(Math.abs(metres({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }) - 20015115) < 2);
  assert.equal(bearing({ lat: 0, lng: 0 }, { lat: 0, lng: -1 }), 270);
});

test("places are read as people write them", () => {
  assert.deepEqual(readPlace("-33.85, 151.21"), { lat: -33.85, lng: 151.21 });
  assert.deepEqual(readPlace(" -33.85;151 "), { lat: -33.85, lng: 151 });
  assert.deepEqual(readPlace("90° -180°"), { lat: 90, lng: -180 });
  for (const text of ["", "-33.85", "91, 0", "0, 181", "a, b", "1, 2, 3", "1e1, 2", "Infinity, 0", "33,85 151,21"]) assert.equal(readPlace(text), null, text);
});

test("amounts are read with points and commas", () => {
  const read = { "100": "100", "12.50": "12.50", "1,5": "1.5", "12,50": "12.50", "1,000": "1000", "1,000,000.50": "1000000.50", "1 000": "1000", ".5": "0.5",
    "7.": "7", "1.234": "1.234" };
  for (const [text, value] of Object.entries(read)) assert.equal(amount(text), value, text);
  for (const text of ["", ".", ",", "abc", "-1", "1e9", "1,2,3", "12,34.5", "1.2.3", "1.000,50", "NaN", "9".repeat(19)]) assert.equal(amount(text), null, text);
});

test("opening hours name the day if it is another", () => {
  const until = (hours) => new Date(Date.now() + hours * 3600000).toISOString();
  assert.equal(opening(null), "");
  assert.equal(opening({ state: "open", until: until(2), until_local: "2026-03-02T17:00" }), "open until 17:00");
  assert.equal(opening({ state: "closed", until: until(50), until_local: "2026-03-04T09:00", comment: "by hand" }), "closed until Wed 09:00 (by hand)");
  assert.equal(opening({ state: "unknown", until: until(2), until_local: "2026-03-02T17:00" }), "hours unknown");
});
