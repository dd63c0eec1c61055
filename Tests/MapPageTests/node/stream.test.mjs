// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";

const opened = [], id = (rev) => `01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5-${rev}`, wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
globalThis.self = globalThis;
globalThis.setInterval = () => 0;
globalThis.document = Object.assign(new EventTarget(), { hidden: false });
globalThis.EventSource = class {
  static OPEN = 1;
  readyState = 1;
  on = {};
  constructor(url) {
    this.url = url;
    opened.push(this);
  }
  addEventListener(name, handler) { this.on[name] = handler; }
  close() {}
};
const { join } = await import("../../../Sources/CMapPage/Assets/stream.js");
const { Feed } = await import("../../../Sources/CMapPage/Assets/feed.js");

/// A window that joins the stream.
function enter(since = null) {
  const port = { told: [], postMessage(message) { this.told.push(message); } };
  join(port);
  port.onmessage({ data: { box: null, since } });
  return port;
}
const tell = (name, rev) => opened.at(-1).on[name]({ lastEventId: id(rev), data: JSON.stringify({ rev, op: name }) });
const said = ({ told }) => told.splice(0).map((each) => (Array.isArray(each) ? each.map(({ id }) => Number(id.split("-").at(-1))) : each.name));

test("changes that come together are one message for each window, and what follows them comes after them", async () => {
  const first = enter();
  opened[0].onopen();
  for (const rev of [1, 2, 3]) tell("added", rev);
  assert.deepEqual(said(first), ["open"]);
  await wait(30);
  assert.deepEqual(said(first), [[1, 2, 3]]);
  for (const [name, rev] of [["changed", 4], ["removed", 5], ["beacon", 5], ["added", 6]]) tell(name, rev);
  assert.deepEqual(said(first), [[4, 5], "beacon"]);
  // A window that comes meanwhile gets what is told from then on.
  const second = enter();
  tell("added", 7);
  await wait(30);
  assert.deepEqual([said(first), said(second)], [[[6], "open", [7]], ["open", [7]]]);
});

test("a window that is hidden meanwhile gets nothing more", async () => {
  const port = enter();
  said(port);
  tell("added", 100);
  port.onmessage({ data: null });
  await wait(30);
  assert.deepEqual(said(port), []);
});

test("a window tells each change of a message, once and in order", () => {
  let port = null;
  globalThis.SharedWorker = class { port = port = { postMessage() {} }; };
  const feed = new Feed(), told = [];
  feed.addEventListener("change", ({ detail }) => told.push(detail.rev));
  feed.start(1);
  const event = (rev) => ({ name: "added", id: id(rev), data: JSON.stringify({ rev }) });
  port.onmessage({ data: [7, 8, 7, 9].map(event) });
  port.onmessage({ data: event(10) });
  assert.deepEqual(told, [7, 8, 9, 10]);
});
