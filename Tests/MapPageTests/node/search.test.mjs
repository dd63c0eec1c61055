// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { find, renew, StageMap } from "./stage.mjs";

globalThis.IntersectionObserver = class { observe() {} disconnect() {} };
let answer = () => {};
globalThis.fetch = async (path) => (path.startsWith("/v1/search") ? answer() : Response.json({ landmarks: [], places: [] }));
const refused = () => Response.json({ code: "unavailable" }, { status: 503 });
const none = () => Response.json({ landmarks: [], opening_at: null });
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const { List } = await import("../../../Sources/CMapPage/Assets/list.js");
const { startSearch } = await import("../../../Sources/CMapPage/Assets/search.js");
const { State } = await import("../../../Sources/CMapPage/Assets/state.js");

test("after a search that failed, Enter opens no row of an older question, and nothing is told of them", async () => {
  renew();
  const state = new State(), map = new StageMap(-33.86, 151.21, 12), store = { landmarks: new Map(), putPage: ({ landmarks }) => landmarks };
  const list = new List(state, store, { whole: async () => ({ count: 0 }) }, () => ({ lat: -33.86, lng: 151.21 }), map);
  let clicks = 0;
  list.view = { draw: () => {}, first: { click: () => { clicks += 1; } } };
  list.renew = () => {};
  list.last = null;
  startSearch(state, list, map);
  const enter = async (text, answered) => {
    answer = answered;
    find("query").value = text;
    find("query").dispatchEvent(Object.assign(new Event("keydown"), { key: "Enter" }));
    await settle();
    const told = find("count").textContent;
    find("count").textContent = "";
    list.draw();
    return { clicks, told, redrawn: find("count").textContent };
  };
  assert.deepEqual(await enter("manly", none), { clicks: 1, told: "Found: 0 landmarks", redrawn: "Found: 0 landmarks" });
  assert.deepEqual(await enter("beach", refused), { clicks: 1, told: "", redrawn: "" });
  // The next question is for the same text, as when the list asks again.
  answer = none;
  await list.now();
  assert.deepEqual(await enter("beach", none), { clicks: 2, told: "Found: 0 landmarks", redrawn: "Found: 0 landmarks" });
});
