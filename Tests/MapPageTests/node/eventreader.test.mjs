// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader } from "../../../Sources/CMapPage/Assets/eventreader.js";

test("events come whole, wherever the network cuts them", () => {
  const text = 'retry: 1000\nevent: shared\ndata: {"kind":"area"}\n\nevent: beacon\ndata: {"live":true}\n\nevent: ended\n\n';
  const wanted = [{ name: "shared", data: { kind: "area" } }, { name: "beacon", data: { live: true } }, { name: "ended", data: null }];
  for (let size = 1; size <= text.length; size += 7) {
    const reader = new EventReader(), found = [];
    for (let at = 0; at < text.length; at += size) found.push(...reader.read(text.slice(at, at + size)));
    assert.deepEqual(found, wanted);
  }
});
