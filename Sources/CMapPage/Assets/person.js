// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { form } from "./form.js";

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
    // After this dialog has closed, because the next one is the same element.
    setTimeout(() => name && then(name));
  });
}

/// Calls with the person's name, which is asked for once.
export function asPerson(action) { if (name) action(name); else askPerson(action); }

export function startPerson() {
  show();
  find("person").addEventListener("click", () => askPerson());
}
