// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { initial, on, State } from "../../../Sources/CMapPage/Assets/state.js";

const heard = (state) => {
  const told = [];
  state.addEventListener("change", ({ detail }) => told.push(detail));
  return told;
};

test("one call tells its changes once, with what was before", () => {
  const state = new State(), told = heard(state);
  state.set({ user: "ann", mode: "add", order: "near" });
  assert.equal(told.length, 1);
  assert.deepEqual([...told[0].names], ["user", "mode"]);
  assert.equal(told[0].before.user, "");
  assert.equal(state.user, "ann");
});

test("equal values tell nothing, also equal lists", () => {
  const state = new State({ kind: ["cafe"], area: [{ lat: 1, lng: 2 }] }), told = heard(state);
  state.set({ kind: ["cafe"], area: [{ lat: 1, lng: 2 }], selected: null });
  assert.equal(told.length, 0);
  state.set({ kind: [] });
  assert.deepEqual([...told[0].names], ["kind"]);
});

test("modes exclude each other", () => {
  const state = new State();
  state.set({ mode: "measure" });
  state.set({ mode: "area" });
  assert.equal(state.mode, "area");
});

test("a handler hears only its values", () => {
  const state = new State(), told = [];
  on(state, ["kind", "user"], (before) => told.push(before.user));
  state.set({ query: "x" });
  state.set({ user: "ann", query: "y" });
  assert.deepEqual(told, [""]);
});

test("a change inside a handler is told after it, with its own names", () => {
  const state = new State(), told = heard(state);
  on(state, ["mode"], () => state.set({ selected: null, query: "q" }));
  state.set({ mode: "area", selected: "a" });
  assert.deepEqual(told.map(({ names }) => [...names]), [["mode", "selected"], ["selected", "query"]]);
});

test("the initial values are never changed", () => {
  new State({ kind: ["a"] }).set({ user: "x" });
  assert.deepEqual([initial.kind, initial.user], [[], ""]);
});

test("a landmark passes the filters that are set", () => {
  const landmark = { kind: "cafe", user: "ann", source: null };
  for (const [values, isWanted] of [[{}, true], [{ kind: ["bar", "cafe"] }, true], [{ kind: ["bar"] }, false], [{ user: "bob" }, false],
    [{ user: "ann", source: "osm" }, false]]) assert.equal(new State(values).passes(landmark), isWanted, JSON.stringify(values));
  assert.equal(new State({ source: "osm" }).passes({ source: { name: "osm" } }), true);
  assert.equal(new State({ kind: ["cafe"] }).passes({}), false);
});
