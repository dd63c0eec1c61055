// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { glyph, letter } from "../../../Sources/CMapPage/Assets/glyphs.js";

test("common kinds have pictures, also in other words", () => {
  const common = ["cafe", "restaurant", "bar", "lodging", "park", "beach", "church", "museum", "school", "hospital", "bus_station",
    "train_station", "airport", "ferry", "parking", "view", "mountain", "movie_theater", "post_office", "supermarket", "gas_station"];
  const paths = common.map((kind) => glyph(kind));
  assert.ok(paths.every((path) => /^M[\d MmLlHhVvCcSsAaZz.-]+z$/.test(path ?? "")), `${paths}`);
  assert.equal(new Set(paths).size, common.length);
  assert.equal(glyph("fuel"), glyph("gas_station"));
  assert.equal(glyph("Light rail station"), glyph("train_station"));
});

test("the whole name stands before its words, and the last word before the first", () => {
  assert.notEqual(glyph("fire_station"), glyph("train_station"));
  assert.equal(glyph("fish_market"), glyph("supermarket"));
  assert.equal(glyph("school_bus"), glyph("bus"));
});

test("another kind has its letter, and none has nothing", () => {
  assert.deepEqual([glyph("qanat"), glyph(""), glyph(null), glyph(undefined), glyph("constructor")], [null, null, null, null, null]);
  assert.deepEqual([letter("qanat"), letter("écluse"), letter(""), letter(null)], ["Q", "É", "", ""]);
});
