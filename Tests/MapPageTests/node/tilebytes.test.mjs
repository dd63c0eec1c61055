// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, mostBytes } from "../../../Sources/CMapPage/Assets/tilebytes.js";

const int32 = (degrees) => [...new Uint8Array(new Int32Array([degrees * 1e7]).buffer)];
const point = (about, lat = -33.8, lng = 151.2) => [...Array.from({ length: 16 }, (_, at) => at), about, ...int32(lat), ...int32(lng)];
/// One kind; a cell of five, and after four empty cells one that lists a landmark.
const right = [1, 1, 4, ..."view".split("").map((each) => each.charCodeAt(0)), 2, 0, 10, 4, 3, ...point(129)];

test("a tile has its kinds, counts and landmarks", () => {
  const { kinds, cells } = decode(Uint8Array.from(right));
  assert.deepEqual(kinds, ["view"]);
  assert.deepEqual([...cells.keys()], [0, 5]);
  assert.equal(cells.get(0).count, 5);
  const [one] = cells.get(5).listed.values();
  assert.deepEqual([one.id, one.isSourced, one.lat, one.lng], ["00010203-0405-0607-0809-0a0b0c0d0e0f", true, -33.8, 151.2]);
});

test("other bytes are refused", () => {
  for (let length = 0; length < right.length; length += 1) assert.throws(() => decode(Uint8Array.from(right.slice(0, length))));
  const wrong = [[2, ...right.slice(1)], [...right, 0], Array(mostBytes + 1).fill(1), [1, 0, 1, 0, 3, ...point(1)],
    [1, 0, 1, 0, 3, ...point(0, 91)], [1, 0, 1, 0, 3, ...point(0, 0, 181)], [1, 0, 1, 0, ...Array(9).fill(255), 1],
    [1, 1, 2, 0xc3, 0x28, 0], [1, 0, 1, 255, 127, 2], [1, 0, 1, 0, 0]];
  for (const bytes of wrong) assert.throws(() => decode(Uint8Array.from(bytes)), undefined, bytes.slice(0, 30).join());
});
