// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "../../../Sources/CMapPage/Assets/history.js";

const move = (at, user = "ferry") => ({ op: "changed", user, at, changed: ["position"] });

test("moves that follow each other are one line, and everything else is its own", () => {
  const entries = [...Array.from({ length: 98 }, (_, index) => move(`t${200 - index}`)),
    { op: "changed", user: "ann", at: "t9", changed: ["name"] }, move("t8"), move("t7", "bob"), { op: "added", user: "ferry", at: "t1" }];
  const found = grouped(entries);
  assert.deepEqual(found.map(({ count }) => count), [98, 1, 1, 1, 1]);
  assert.deepEqual([found[0].at, found[0].since], ["t200", "t103"]);
});

test("a change of more than the position, or of an unknown part, is no move", () => {
  const edit = { op: "changed", user: "ferry", at: "t", changed: ["name", "position"] };
  assert.equal(grouped([edit, edit]).length, 2);
  assert.equal(grouped([{ ...edit, changed: null }, { ...edit, changed: undefined }]).length, 2);
});

test("the track tells the moves among older entries", () => {
  const entries = [9, 8, 7, 6].map((rev) => ({ rev, op: "changed", user: "ferry", at: `t${rev}`, changed: rev === 9 ? ["position"] : null }));
  assert.deepEqual(grouped(entries, new Set([9, 8, 6])).map(({ count }) => count), [2, 1, 1]);
});

test("the entries stay as they were", () => {
  const entries = [move("b"), move("a")];
  grouped(entries);
  assert.deepEqual(entries, [move("b"), move("a")]);
});
