// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { form } from "./form.js";
import { mayAdd, mayChange, session, showAccount } from "./session.js";
import { say } from "./notice.js";

const key = "waymark-user";
let name = "", shared = null, icon = null;
try { name = localStorage.getItem(key) ?? ""; } catch { /* Storage may be forbidden: the name then lasts for this page. */ }

/// Returns the name of the person; empty if it is not known yet.
const personName = () => session.account?.name ?? name;

/// Whether the person made a change themselves, here or elsewhere, so that it is no news.
export const isOwn = (change) => Boolean(change.user) && change.user === personName();

/// Whether the service would allow to change a note. Without accounts, notes belong to a name.
export const mayChangeNote = (note) => (session.isNeeded ? mayChange(note) : Boolean(name) && note.user === name);

export const nameField = () => ({ name: "name", label: "Your name, which others see beside what you add", value: name,
  maxLength: 64, autocomplete: "nickname" });

export function setName(text) {
  if (text === name) return;
  name = text;
  try { localStorage.setItem(key, name); } catch { /* As above. */ }
  show();
  shared?.dispatchEvent(new Event("settings"));
}

function show() {
  const person = personName(), button = find("person"), [letter] = person;
  button.setAttribute("aria-label", session.account ? `Signed in as ${person}` : person ? `You are ${person}` : "Your name");
  button.title = button.getAttribute("aria-label");
  button.replaceChildren(person ? letter.toUpperCase() : icon);
}

const askPerson = () => form("Your name", [{ ...nameField(), required: true }], "Save", async (values) => setName(values.name));

/// Calls `action` with the person's name. With accounts the service knows the name; otherwise the person is asked once.
export async function asPerson(action) {
  if (session.isNeeded && !mayAdd()) return say("Your account may only look.");
  if (personName() || await askPerson()) return action(personName());
}

export function startPerson(state) {
  shared = state;
  icon = find("person").firstElementChild;
  show();
  addEventListener("session", show);
  find("person").addEventListener("click", () => (session.account ? showAccount() : askPerson()));
}
