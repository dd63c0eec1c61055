// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { find, renew } from "./stage.mjs";

const make = document.createElement;
document.createElement = (tag) => Object.assign(make(tag), { value: "" });
let reloads = 0, sent = [], answers = {};
globalThis.location = { reload: () => { reloads += 1; } };
globalThis.caches = { keys: async () => [] };
globalThis.fetch = async (path, { method }) => {
  sent.push(`${method} ${path}`);
  return answers[path]();
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

const { showAccount } = await import("../../../Sources/CMapPage/Assets/account.js");
const { session } = await import("../../../Sources/CMapPage/Assets/session.js");

const dialogs = () => document.body.children.filter(({ tag }) => tag === "dialog");
const press = (title) => dialogs().at(-1).buttons.find(({ textContent }) => textContent === title).press();

/// Fills in the form for another password, and sends it.
async function change() {
  renew();
  [reloads, sent] = [0, []];
  Object.assign(session, { isNeeded: true, account: { name: "ann", number: 1, role: "user" } });
  showAccount();
  press("Change password");
  await settle();
  const form = dialogs()[0].children.find(({ tag }) => tag === "form");
  for (const [index, word] of ["old secret", "new secret"].entries()) form.children[index].children.at(-1).value = word;
  form.dispatchEvent(Object.assign(new Event("submit")));
  await settle();
}

test("a changed password with which nobody could sign in at once is told as changed, then the page leaves", async () => {
  for (const status of [429, 503, 504]) {
    answers = { "/v1/password": () => new Response(null, { status: 204 }), "/v1/session": () => Response.json({ code: "busy" }, { status }) };
    await change();
    assert.deepEqual(sent, ["PUT /v1/password", "POST /v1/session"]);
    assert.equal(dialogs().at(-1).children[0].textContent, "The password was changed: sign in with the new one.");
    // The stream of the ended session does not take this away before it was read.
    assert.deepEqual([reloads, session.account], [0, null]);
    press("Sign in");
    await settle();
    assert.deepEqual([reloads, dialogs().length], [1, 0]);
  }
});

test("a password that was not changed leaves the form, and a new session says so", async () => {
  answers = { "/v1/password": () => Response.json({ code: "unavailable" }, { status: 503 }) };
  await change();
  assert.match(dialogs()[0].textContent, /does not answer/);
  assert.equal(session.account.name, "ann");
  press("Cancel");
  answers = { "/v1/password": () => new Response(null, { status: 204 }), "/v1/session": () => Response.json({}, { status: 201 }) };
  await change();
  assert.equal(dialogs().length, 0);
  assert.match(find("notice").textContent, /^The password was changed. Other/);
  assert.equal(reloads, 0);
});
