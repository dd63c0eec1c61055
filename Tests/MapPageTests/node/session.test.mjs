// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import "./stage.mjs";

let reloads = 0, asked = 0, answers = [], forms = [];
document.querySelector = () => forms.shift() ?? null;
globalThis.dispatchEvent = () => true;
globalThis.location = { reload: () => { reloads += 1; } };
globalThis.fetch = async () => {
  asked += 1;
  return answers.shift()();
};
const refused = () => Response.json({ code: "unavailable" }, { status: 503 });
const told = (accounts, account = null) => () => Response.json({ accounts, account, problem: null });
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const { mayAdd, session, startSession } = await import("../../../Sources/CMapPage/Assets/session.js");

/// Starts the page, then lets the service give the other answers, one every three seconds.
async function start(timers, ...all) {
  [reloads, asked, answers] = [0, 0, all];
  timers.enable({ apis: ["setTimeout"] });
  assert.equal(await startSession(), false);
  for (let turn = 0; turn < 5; turn += 1) {
    timers.tick(3000);
    await settle();
  }
}

test("a service that could not tell who is signed in is asked until it does, and with accounts the page starts again", async (t) => {
  await start(t.mock.timers, refused, refused, told(true, { name: "ann", number: 1, role: "user" }));
  assert.deepEqual([asked, reloads, session.isNeeded], [3, 1, false]);
});

test("the page also starts again if nobody is signed in", async (t) => {
  await start(t.mock.timers, refused, told(true));
  assert.deepEqual([asked, reloads], [2, 1]);
});

test("the page does not start again while a form is open", async (t) => {
  forms = [{}, {}];
  const ann = told(true, { name: "ann", number: 1, role: "user" });
  await start(t.mock.timers, refused, ann, ann, ann);
  assert.deepEqual([asked, reloads], [4, 1]);
});

test("without accounts the page stays as it is, and asks no more", async (t) => {
  await start(t.mock.timers, refused, told(false));
  assert.deepEqual([asked, reloads, mayAdd()], [2, 0, true]);
});

test("a service that told at once is not asked again", async (t) => {
  await start(t.mock.timers, told(false));
  assert.deepEqual([asked, reloads], [1, 0]);
});
