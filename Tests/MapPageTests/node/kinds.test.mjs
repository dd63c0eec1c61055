// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { find } from "./stage.mjs";

const Box = document.body.constructor, make = document.createElement;
document.createElement = (tag) => Object.assign(make(tag), { value: "", style: { setProperty: () => {} } });
document.createElementNS = (_, tag) => document.createElement(tag);
Object.defineProperty(Box.prototype, "firstElementChild", { get() { return this.children[0] ?? null; } });
Box.prototype.click = Box.prototype.press;
let answer;
globalThis.fetch = async () => answer();
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const { startFilters } = await import("../../../Sources/CMapPage/Assets/filters.js");
const { pick } = await import("../../../Sources/CMapPage/Assets/kinds.js");
const { State } = await import("../../../Sources/CMapPage/Assets/state.js");
for (const name of ["user", "source"]) find(name).options = [];
startFilters(new State(), { words: { kind: new Set(["beach"]), user: new Set(), source: new Set() } }, new EventTarget());

/// Opens the kinds, types a text and presses Enter; returns what is told, the kinds, and what was chosen.
async function typed(text) {
  const picked = { kind: undefined }, asked = pick(null).then((kind) => { picked.kind = kind; });
  const [, { children: [search, told, grid] }] = document.body.children.find(({ tag }) => tag === "dialog").children;
  search.value = text;
  search.dispatchEvent(Object.assign(new Event("keydown"), { key: "Enter" }));
  await settle();
  const seen = { told: told.textContent, kinds: grid.children.map(({ attributes }) => attributes["aria-label"]), chosen: picked.kind };
  document.body.children.find(({ tag }) => tag === "dialog")?.close();
  await asked;
  return seen;
}

test("kinds that could not be searched are not called unknown, and the text becomes no kind", async () => {
  answer = () => Response.json({ code: "unavailable" }, { status: 503 });
  assert.deepEqual(await typed("petrol"), { told: "The service does not answer at the moment: try again.", kinds: [], chosen: undefined });
});

test("Enter takes the first kind that was found, or the text if there is none", async () => {
  answer = () => Response.json({ kinds: [] });
  assert.deepEqual(await typed("xyzzy"), { told: "No kind has such a word.", kinds: ["Xyzzy"], chosen: "xyzzy" });
  answer = () => Response.json({ kinds: [{ kind: "fuel", label: "Gas station" }] });
  assert.equal((await typed("petrol")).chosen, "fuel");
});
