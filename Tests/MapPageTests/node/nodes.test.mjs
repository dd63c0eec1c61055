// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { createElement: (tag) => ({ tag, dir: "", href: "", rel: "", target: "", texts: [],
  append(...children) { this.texts.push(...children); } }) };
const { link } = await import("../../../Sources/CMapPage/Assets/nodes.js");

const text = (address) => link(address).texts.join("");

test("links of the web and of mail are links, and nothing else is", () => {
  for (const address of ["https://example.org", "http://example.org/a?b#c", "mailto:ann@example.org"]) assert.equal(link(address).tag, "a", address);
  for (const address of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "blob:x",
    "vbscript:x", "no address", ""]) {
    assert.equal(link(address).tag, "span", address);
    assert.equal(text(address), address);
  }
});

test("the text begins with the host that is asked, not with a name before an @", () => {
  const made = link("https://paypal.com@evil.example/");
  assert.equal(text("https://paypal.com@evil.example/"), "evil.example");
  assert.equal(made.href, "https://evil.example/");
  assert.match(text("https://paypal.com:x@evil.example/login?q#f"), /^evil\.example\/login\?q#f$/);
});

test("letters that look like others are told by the host's own spelling", () => {
  assert.match(text("https://раураl.com/"), /^xn--/);
});

test("mail shows its address", () => assert.equal(text("mailto:ann@example.org?subject=x"), "ann@example.org"));
