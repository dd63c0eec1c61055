// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { form } from "./form.js";
import { mayAdd, session } from "./session.js";
import { say } from "./notice.js";

const key = "waymark-user";
let name = "";
try { name = localStorage.getItem(key) ?? ""; } catch { /* Storage may be forbidden: the name then lasts for this page. */ }

function show() { find("person").textContent = name ? `You are ${name}. Change` : "Your name"; }

export function askPerson(then = () => {}) {
  form("Your name", [{ name: "name", label: "Others see it beside what you add", value: name, required: true,
    maxLength: 64, autocomplete: "nickname" }], "Save", async (values) => {
    name = values.name;
    try { localStorage.setItem(key, name); } catch { /* As above. */ }
    show();
    // The next dialog uses the same element, so wait until this one has closed.
    setTimeout(() => name && then(name));
  });
}

/// Calls `action` with the person's name. With accounts the service knows the name; otherwise the person is asked once.
export function asPerson(action) {
  if (session.isNeeded) return mayAdd() ? action(session.account.name) : say("Your account may only look.");
  if (name) action(name); else askPerson(action);
}

export function startPerson() {
  if (session.isNeeded) return;
  show();
  find("person").addEventListener("click", () => askPerson());
}
