// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import test from "node:test";

// The modules listen to keys when they are loaded.
globalThis.addEventListener = () => {};
const assets = "../../../Sources/CMapPage/Assets";
const { settle } = await import(`${assets}/conflict.js`);
const { place } = await import(`${assets}/edits.js`);
const { rank } = await import(`${assets}/settings.js`);

const base = { name: "Cafe", phone: null, kind: "cafe", lat: -33.81234567, lng: 151.01234567 };

test("fields that only one side has changed are merged without a question", async () => {
  const body = { rating: 4, kind: null };
  assert.deepEqual(await settle(base, { ...base, phone: "1", version: 7 }, body), body);
  assert.deepEqual(await settle(base, { ...base, name: "Café" }, { name: "Café", rating: 4 }), { name: "Café", rating: 4 });
  assert.deepEqual(await settle(base, { ...base, lat: 1 }, { lat: 1, lng: base.lng }), { lat: 1, lng: base.lng });
});

test("a field that both have changed is a question", async () => {
  // There is no document here that could ask it.
  for (const [now, body] of [[{ name: "A" }, { name: "B" }], [{ kind: null }, { kind: "bar" }], [{ lng: 2 }, { lat: 1, lng: base.lng }]]) {
    await assert.rejects(settle(base, { ...base, ...now }, body), /document/);
  }
});

test("a coordinate that nobody changed keeps its digits", () => {
  assert.deepEqual(place("-33.812346, 151.012346", base), { lat: base.lat, lng: base.lng });
  assert.deepEqual(place("-33.9, 151.012346", base), { lat: -33.9, lng: base.lng });
  assert.throws(() => place("-33.9", base), /latitude and longitude/);
});

test("the best rated are asked for within 1 to 48 km", () => {
  assert.deepEqual(rank({ order: "near", radius: 5 }), {});
  for (const [radius, metres] of [[5, 5000], [1e9, 48000], [-1, 1000], [0, 5000], [NaN, 5000]]) {
    assert.deepEqual(rank({ order: "rated", radius }), { rank: "prominence", radius: metres });
  }
});
