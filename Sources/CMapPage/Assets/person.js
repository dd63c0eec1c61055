// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { recall, store } from "./keep.js";
import { accountForms, session } from "./session.js";

const key = "waymark-user";
let name = recall(key) ?? "", shared = null, icon = null;

/// Returns the name of the person; empty if it is not known yet.
export const personName = () => session.account?.name ?? name;

export function setName(text) {
  if (text === name) return;
  name = text;
  store(key, name);
  show();
  shared?.dispatchEvent(new Event("settings"));
}

function show() {
  const person = personName(), button = find("person"), [letter] = person;
  button.setAttribute("aria-label", session.account ? `Signed in as ${person}` : person ? `You are ${person}` : "Your name");
  button.title = button.getAttribute("aria-label");
  button.replaceChildren(person ? letter.toUpperCase() : icon);
}

export function startPerson(state) {
  shared = state;
  icon = find("person").firstElementChild;
  show();
  addEventListener("session", show);
  find("person").addEventListener("click", () => accountForms.press(({ showAccount, askPerson }) => (session.account ? showAccount() : askPerson())));
}
