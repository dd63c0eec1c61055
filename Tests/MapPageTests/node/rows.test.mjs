// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, Rows } from "../../../Sources/CMapPage/Assets/rows.js";

const at = (id, lat, more = {}) => ({ id, name: id, lat, lng: 0, ...more });
const nearest = () => new Rows(({ lat }) => Math.abs(lat));
const ids = (rows) => rows.all.map(({ id }) => id).join("");
const always = () => true;

test("pages follow each other, and a count is only what is known", () => {
  const rows = nearest();
  rows.add({ landmarks: [at("a", 1), at("b", 2)], cursor: "next" });
  assert.deepEqual(rows.count, { count: 2, isMore: true });
  rows.total = 150;
  assert.deepEqual(rows.count, { count: 150, isMore: false });
  rows.add({ landmarks: [at("c", 3)], cursor: null });
  assert.deepEqual(rows.count, { count: 3, isMore: false });
});

test("a search that fills its limit has more, and says so", () => {
  const rows = new Rows();
  rows.add({ landmarks: [at("a", 1), at("b", 2)] }, 2);
  assert.equal(rows.count.isMore, true);
  rows.add({ landmarks: [at("a", 1), at("b", 2), at("c", 3)] }, 1000);
  assert.deepEqual(rows.count, { count: 3, isMore: false });
  rows.add({ landmarks: [], truncated: true }, 1000);
  assert.equal(rows.count.isMore, true);
});

test("moves change the order of the nearest, but not of a search", () => {
  for (const [rows, wanted] of [[nearest(), "ba"], [new Rows(), "ab"]]) {
    rows.add({ landmarks: [at("a", 1), at("b", 2)] });
    assert.equal(rows.apply({ op: "changed", landmark: at("a", 5) }, true, always), true);
    assert.equal(ids(rows), wanted);
  }
});

test("an addition appears at once where it belongs, unless it lies beyond the last row of a part", () => {
  const rows = nearest();
  rows.add({ landmarks: [at("a", 1), at("c", 3)], cursor: "next" });
  assert.equal(ids(rows), "ac");
  assert.equal(rows.apply({ op: "added", landmark: at("b", 2) }, true, always), true);
  assert.equal(rows.apply({ op: "added", landmark: at("d", 4) }, true, always), false);
  assert.equal(ids(rows), "abc");
  rows.cursor = null;
  rows.apply({ op: "added", landmark: at("d", 4) }, true, always);
  assert.equal(ids(rows), "abcd");
});

test("an addition that only the service can judge makes no row, but a question", () => {
  const rows = new Rows();
  rows.add({ landmarks: [at("a", 1)] });
  assert.equal(rows.apply({ op: "added", landmark: at("b", 0) }, false, always), true);
  assert.equal(ids(rows), "a");
});

test("what is removed or no longer matches goes at once; what never matched asks nothing", () => {
  const rows = nearest(), isCafe = ({ kind }) => kind === "cafe";
  rows.add({ landmarks: [at("a", 1, { kind: "cafe" }), at("b", 2, { kind: "cafe" })] });
  rows.apply({ op: "removed", landmark: at("a", 1, { kind: "cafe" }) }, true, isCafe);
  rows.apply({ op: "changed", landmark: at("b", 2, { kind: "bar" }), before: at("b", 2, { kind: "cafe" }) }, true, isCafe);
  assert.equal(ids(rows), "");
  assert.equal(rows.apply({ op: "changed", landmark: at("x", 1, { kind: "bar" }), before: at("x", 2, { kind: "bar" }) }, true, isCafe), false);
});

test("a change without fields that the row has keeps them", () => {
  const rows = nearest();
  rows.add({ landmarks: [at("a", 1, { distance_m: 7 })] });
  rows.apply({ op: "changed", landmark: at("a", 2) }, true, always);
  assert.equal(rows.all[0].distance_m, 7);
});

/** A list of children that counts its steps. */
function fakeList(names) {
  const list = { steps: 0, children: [],
    get firstElementChild() { return this.children[0] ?? null; },
    insertBefore(item, next) {
      this.steps += 1;
      this.children = this.children.filter((each) => each !== item);
      this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, item);
    } };
  const item = (name) => ({ name, remove() { list.steps += 1; list.children = list.children.filter((each) => each !== this); },
    get nextElementSibling() { return list.children[list.children.indexOf(this) + 1] ?? null; } });
  const items = Object.fromEntries([..."abcdefgh"].map((name) => [name, item(name)]));
  list.children = [...names].map((name) => items[name]);
  return { list, items };
}

for (const [from, to, steps] of [["abcd", "abcd", 0], ["abcd", "abcde", 1], ["abcd", "eabcd", 1], ["abcd", "acd", 1], ["abcd", "dabc", 1],
  ["abcd", "bcda", 2], ["abcd", "", 4], ["", "abc", 3], ["abcdef", "fbdgac", null]]) {
  test(`arrange ${from || "nothing"} as ${to || "nothing"}`, () => {
    const { list, items } = fakeList(from);
    arrange(list, [...to].map((name) => items[name]));
    assert.equal(list.children.map(({ name }) => name).join(""), to);
    if (steps !== null) assert.equal(list.steps, steps);
  });
}
