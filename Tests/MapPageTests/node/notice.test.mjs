// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { mock, test } from "node:test";

/// As much of an element as messages need.
class Node {
  children = [];
  parentNode = null;

  constructor(tag) { this.tag = tag; }

  append(...made) {
    for (const each of made) {
      if (each instanceof Node) each.parentNode = this;
      this.children.push(each);
    }
  }

  remove() { this.parentNode.children.splice(this.parentNode.children.indexOf(this), 1); }

  setAttribute() {}

  addEventListener(name, handler) { this[`on${name}`] = handler; }

  get textContent() { return this.children.map((each) => each.textContent ?? String(each)).join(""); }
}

const box = new Node("div"), told = () => box.children.map((each) => each.children[0].textContent);
globalThis.addEventListener = () => {};
globalThis.document = { createElement: (tag) => new Node(tag), getElementById: () => box, querySelector: () => box };
const { say } = await import("../../../Sources/CMapPage/Assets/notice.js");

test("a message stays for 6 s, and longer the longer it is", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  say("Copied");
  mock.timers.tick(6000);
  assert.deepEqual(told(), ["Copied"]);
  mock.timers.tick(60 * "Copied".length);
  assert.deepEqual(told(), []);
  say("x".repeat(100));
  mock.timers.tick(11999);
  assert.equal(told().length, 1);
  mock.timers.tick(1);
  assert.deepEqual(told(), []);
  mock.timers.reset();
});

test("a message with an action stays beside others, until ten have followed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  say("Kiosk was added.", "Undo", () => true);
  for (let number = 1; number < 10; number += 1) {
    say(`News ${number}`);
    assert.deepEqual(told().sort(), ["Kiosk was added.", `News ${number}`]);
    mock.timers.tick(60000);
    assert.deepEqual(told(), ["Kiosk was added."]);
  }
  say("News 10");
  assert.deepEqual(told(), ["News 10"]);
  mock.timers.reset();
});
