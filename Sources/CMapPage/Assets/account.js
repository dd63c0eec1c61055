// SPDX-License-Identifier: Apache-2.0

import { api, ask } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { form } from "./form.js";
import { say } from "./notice.js";
import { personName, setName } from "./person.js";
import { leave, mayAdd, mayChange, session } from "./session.js";

/// Whether the person made a change themselves, here or elsewhere, so that it is no news.
export const isOwn = (change) => Boolean(change.user) && change.user === personName();

/// Whether the service would allow to change a note. Without accounts, notes belong to a name.
export const mayChangeNote = (note) => (session.isNeeded ? mayChange(note) : Boolean(personName()) && note.user === personName());

export const nameField = () => ({ name: "name", label: "Your name, which others see beside what you add", value: personName(),
  maxLength: 64, autocomplete: "nickname" });

export const askPerson = () => form("Your name", [{ ...nameField(), required: true }], "Save", async (values) => setName(values.name));

/// Calls `action` with the person's name. With accounts the service knows the name; otherwise the person is asked once.
export async function asPerson(action) {
  if (session.isNeeded && !mayAdd()) return say("Your account may only look.");
  if (personName() || await askPerson()) return action(personName());
}

/// Asks who it is. Returns when somebody has signed in.
export function signIn(problem) {
  if (problem) return form("Sign in", [], null, null, { note: problem });
  return form("Sign in", [
    { name: "name", label: "Name", required: true, maxLength: 64, autocomplete: "username", autocapitalize: "none" },
    { name: "password", label: "Password", type: "password", required: true, autocomplete: "current-password" },
    { name: "code", label: "Invitation code, only the first time", autocomplete: "off" },
    { name: "fresh", label: "You are", isMore: true, options: [["", "known here"], ["new", "new here, without an invitation"]] },
  ], "Sign in", async ({ name, password, code, fresh }) => {
    session.account = (await ask("POST", fresh ? "/v1/account" : "/v1/session", { body: { name, password, ...(code ? { code } : {}) } })).account;
  }, { isNeeded: true });
}

export async function showAccount() {
  const wantsPassword = await dialog(`You are ${session.account.name}`, (close) => element("div", {},
    element("p", {}, `Your role: ${session.account.role}.`),
    element("div", { className: "row" },
      button("Sign out", async () => {
        try { await api.signOut(); } catch (error) { return say(error.message); }
        await leave();
      }),
      button("Change password", () => close(true)), button("Close", () => close()))));
  if (wantsPassword) changePassword();
}

function changePassword() {
  form("Change password", [
    { name: "old", label: "Present password", type: "password", required: true, autocomplete: "current-password" },
    { name: "new", label: "New password, 8 letters or more", type: "password", required: true, minLength: 8,
      autocomplete: "new-password" },
  ], "Change", async (values) => {
    await api.setPassword(values);
    // Changing the password has ended all sessions, so start a new session here.
    try {
      await api.signIn({ name: session.account.name, password: values.new });
    } catch {
      // Without an account the page does not leave by itself, before the person has read this.
      session.account = null;
      await dialog("The password was changed: sign in with the new one.", (close) => button("Sign in", () => close()));
      return leave();
    }
    say("The password was changed. Other browsers have to sign in again.");
  });
}
