// SPDX-License-Identifier: Apache-2.0
// @ts-check

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "../../../Sources/CMapPage/Assets/sheet.js";

const pixels = [76, 380, 780];

test("a sheet that is let go goes to the nearest height", () => {
  assert.deepEqual([76, 200, 240, 400, 570, 590, 780].map((at) => settled(pixels, at, 0)), [0, 0, 1, 1, 1, 2, 2]);
});

test("a sheet that is thrown goes to the next height in this direction", () => {
  assert.equal(settled(pixels, 100, 1), 1);
  assert.equal(settled(pixels, 380, 1), 2);
  assert.equal(settled(pixels, 700, -1), 1);
  assert.equal(settled(pixels, 380, -1), 0);
});

test("a throw beyond the ends stays there", () => {
  assert.equal(settled(pixels, 780, 2), 2);
  assert.equal(settled(pixels, 76, -2), 0);
});

test("on a low screen two heights may be the same", () => {
  assert.equal(settled([76, 76, 180], 76, 1), 2);
  assert.equal(settled([76, 76, 180], 150, -1), 1);
});
