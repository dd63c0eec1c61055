// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { find, renew } from "./stage.mjs";

const { Part } = await import("../../../Sources/CMapPage/Assets/part.js");

test("a module is loaded at its first use, once, and from then on the part is used at once", async () => {
  let loads = 0;
  const part = new Part(async () => ({ word: `${loads += 1}` }), ({ word }) => ({ word }));
  assert.equal(part.now, null);
  assert.deepEqual(await Promise.all([part.use(({ word }) => word), part.use(({ word }) => word), part.get()]), ["1", "1", undefined]);
  assert.equal(part.use(({ word }) => word), "1");
});

test("a module that does not come is asked for again at the next use", async () => {
  renew();
  let isAway = true;
  const part = new Part(async () => { if (isAway) throw new TypeError("away"); return { word: "here" }; });
  assert.equal(await part.use(({ word }) => word), undefined);
  assert.match(find("notice").textContent, /does not answer/);
  await assert.rejects(part.get());
  isAway = false;
  assert.equal(await part.use(({ word }) => word), "here");
});
