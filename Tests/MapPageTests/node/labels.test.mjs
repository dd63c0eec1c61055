// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../../../Sources/CMapPage/Assets/labels.js";

const wish = (x, y, more = {}) => ({ x, y, radius: 10, width: 80, height: 16, ...more });
const box = ({ width, height }, { x, y }) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
const meet = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

test("a name is right of its pin, else left, below, above, or nowhere", () => {
  const pin = wish(0, 0), around = [{ x: 40, y: 0, radius: 10 }, { x: -40, y: 0, radius: 10 }, { x: 0, y: 22, radius: 4 }, { x: 0, y: -22, radius: 4 }];
  const places = [0, 1, 2, 3, 4].map((number) => place([pin], [pin, ...around.slice(0, number)])[0]);
  assert.deepEqual(places, [{ x: 54, y: 0 }, { x: -54, y: 0 }, { x: 0, y: 20 }, { x: 0, y: -20 }, null]);
  assert.deepEqual(place([{ ...pin, isNeeded: true }], [pin, ...around])[0], { x: 54, y: 0 });
});

test("names cover neither pins nor each other", () => {
  let state = 9;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const wishes = Array.from({ length: 900 }, () => wish(random() * 4000 - 2000, random() * 2000 - 1000, { width: 30 + random() * 150 }));
  const circles = [...wishes, ...Array.from({ length: 300 }, () => ({ x: random() * 4000 - 2000, y: random() * 2000 - 1000, radius: 12 + random() * 22 }))];
  const found = place(wishes, circles), boxes = found.map((each, index) => each && box(wishes[index], each)).filter(Boolean);
  assert.ok(boxes.length > 150 && boxes.length < 900, `${boxes.length}`);
  for (const [index, each] of boxes.entries()) {
    assert.ok(!circles.some(({ x, y, radius }) => meet(each, [x - radius, y - radius, x + radius, y + radius])));
    assert.ok(!boxes.slice(index + 1).some((other) => meet(each, other)));
  }
});

test("a town's name is where the town is, if nothing is there", () => {
  const town = wish(0, 0, { isCentred: true });
  assert.deepEqual(place([town], [])[0], { x: 0, y: 0 });
  assert.deepEqual(place([town], [{ x: 0, y: 0, radius: 9 }])[0], { x: 54, y: 0 });
});

test("the first names have the best places", () => {
  const [first, second] = place([wish(0, 0), wish(100, 0)], [wish(0, 0), wish(130, 0)]);
  assert.deepEqual([first, second], [{ x: 54, y: 0 }, { x: 100, y: 20 }]);
});
