// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { sentence } from "../../../Sources/CMapPage/Assets/refusals.js";

const strange = sentence({ code: "bad_frame" });

test("what people typed is told as the service says it, the parts of a request are not", () => {
  for (const detail of ["The rating is not a number from 0 to 5.", "The link begins with javascript:, and only http:, https: and mailto: are kept.",
    "The source parks has another landmark in this one's place by now: remove that one first."]) {
    assert.equal(sentence({ code: "invalid", detail }), detail);
  }
  for (const other of ["The body lacks name, lat or lng.", "The parameter amount is a number with a point and at most 18 digits.",
    "The field name must be a text.", "\"x\" is not an id: copy the 36 characters that list or near shows.", ""]) {
    assert.equal(sentence({ code: "invalid", detail: other }), "The service does not take this: check it.");
  }
});

test("no sentence is the service's own", () => {
  assert.match(sentence({ code: "not_found", detail: "There is no landmark with this id." }), /removed/);
  assert.match(sentence({ code: "version_mismatch", detail: "The landmark has version 4 by now." }), /same moment/);
  assert.equal(sentence({}), sentence({ code: "unavailable" }));
  assert.equal(sentence({ code: "constructor" }), strange);
});

test("each code of the protocol that people can meet has a sentence", async () => {
  const codes = await readFile(new URL("../../../Sources/WaymarkProtocol/ErrorCode.swift", import.meta.url), "utf8");
  const names = [...codes.matchAll(/case \.\w+: "(\w+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 20);
  const programs = new Set(["bad_frame", "protocol_version", "unknown_command"]);
  for (const code of names) assert.equal(sentence({ code }) === strange, programs.has(code), code);
});
