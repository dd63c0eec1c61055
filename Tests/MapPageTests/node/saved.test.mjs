// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, save } from "../../../Sources/CMapPage/Assets/saved.js";

const storage = (text = null) => ({ text, getItem() { return this.text; }, setItem(_, text) { this.text = text; } });
const cafe = { id: "a", name: "Cafe", lat: 1, lng: 2, kind: "cafe", user: "ann", notes: [{ text: "private" }], version: 7 };

test("a result is kept with what a row needs, and no more", () => {
  const kept = storage();
  save("near here", [cafe], kept);
  const { title, landmarks, at } = load(kept);
  assert.equal(title, "near here");
  assert.deepEqual(landmarks, [{ id: "a", name: "Cafe", lat: 1, lng: 2, kind: "cafe", user: "ann" }]);
  assert.ok(Date.now() - at < 10000);
});

test("at most a hundred places are kept", () => {
  const kept = storage();
  save("", Array.from({ length: 150 }, () => cafe), kept);
  assert.equal(load(kept).landmarks.length, 100);
});

test("nothing, nonsense and half a result are none, and strange places are left out", () => {
  for (const text of [null, "", "{", "null", "{}", '{"landmarks":3}']) assert.equal(load(storage(text)), null, String(text));
  const strange = { at: 1, title: "x", landmarks: [cafe, null, { id: 1, name: "y", lat: 0, lng: 0 }, { id: "z", name: "z", lat: "0", lng: 0 }] };
  assert.deepEqual(load(storage(JSON.stringify(strange))).landmarks.map(({ id }) => id), ["a"]);
});

test("a full or forbidden storage is no failure", () => {
  assert.doesNotThrow(() => save("", [cafe], { setItem() { throw new Error("full"); } }));
  assert.equal(load({ getItem() { throw new Error("forbidden"); } }), null);
});
