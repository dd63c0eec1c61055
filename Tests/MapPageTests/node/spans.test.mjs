// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, span } from "../../../Sources/CMapPage/Assets/spans.js";

const minute = 60000;

test("a span has at most two units", () => {
  assert.deepEqual([0, 59999, minute, 59.9 * minute, 60 * minute, 80 * minute, 24 * 60 * minute, 49.5 * 60 * minute].map(span),
    ["less than a minute", "less than a minute", "1 min", "59 min", "1 h", "1 h 20 min", "1 day", "2 days 1 h"]);
});

test("the last minute is just now, and so is a time that clocks put ahead", () => {
  assert.deepEqual([-5000, 1000, 3 * minute].map(ago), ["just now", "just now", "3 min ago"]);
});
