// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { form } from "./form.js";
import { say } from "./notice.js";

/// The account that is signed in. If accounts are not required, it is null, and everybody may do everything.
export const session = { isNeeded: false, account: null };

const isModerator = () => ["moderator", "admin"].includes(session.account?.role);

/// Whether the service would allow an action. The service checks this again when the action is done.
export const mayAdd = () => !session.isNeeded || isModerator() || session.account?.role === "user";
export const mayChange = (thing) => !session.isNeeded || isModerator()
  || (mayAdd() && thing.account !== undefined && thing.account === session.account.number);

/// Asks who is signed in. If accounts are required, waits until somebody has signed in. If the service cannot be
/// reached, the page uses what the browser has kept.
export async function startSession() {
  const told = await api.session().catch(() => null);
  if (!told?.accounts) return;
  Object.assign(session, { isNeeded: true, account: told.account });
  if (!session.account) {
    // A different person may have used this browser before.
    await forget();
    await signIn(told.problem);
  }
  document.documentElement.dataset.adding = mayAdd() ? "allowed" : "refused";
  find("person").textContent = session.account.name;
  find("person").setAttribute("aria-label", `Signed in as ${session.account.name}`);
  find("person").addEventListener("click", () => show());
  addEventListener("signedout", () => leave());
}

/// Asks the service whether the session has ended, because a stream of changes that breaks does not say why.
export async function checkSession() {
  if (!session.account) return;
  const told = await api.session().catch(() => null);
  // Another window may have signed in as somebody else.
  if (told?.accounts && told.account?.number !== session.account.number) dispatchEvent(new Event("signedout"));
}

function signIn(problem) {
  return new Promise((resolve) => {
    if (problem) return form("Sign in", [], null, null, { note: problem });
    form("Sign in", [
      { name: "name", label: "Name", required: true, maxLength: 64, autocomplete: "username", autocapitalize: "none" },
      { name: "password", label: "Password", type: "password", required: true, autocomplete: "current-password" },
      { name: "code", label: "Invitation code, only the first time", autocomplete: "off" },
    ], "Sign in", async ({ name, password, code }) => {
      session.account = (await api.signIn({ name, password, ...(code ? { code } : {}) })).account;
      resolve();
    }, { isNeeded: true });
  });
}

function show() {
  const dialog = find("dialog"), button = (label, action) => element("button", { type: "button", onclick: action }, label);
  dialog.replaceChildren(element("h2", { id: "dialog-title" }, `You are ${session.account.name}`),
    element("p", {}, `Your role: ${session.account.role}.`),
    element("div", { className: "row" },
      button("Sign out", async () => {
        try { await api.signOut(); } catch (error) { return say(error.message); }
        await leave();
      }),
      button("Change password", changePassword), button("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
}

function changePassword() {
  form("Change password", [
    { name: "old", label: "Present password", type: "password", required: true, autocomplete: "current-password" },
    { name: "new", label: "New password, 8 letters or more", type: "password", required: true, minLength: 8,
      autocomplete: "new-password" },
  ], "Change", async (values) => {
    await api.setPassword(values);
    // Changing the password has ended all sessions, so start a new session here.
    await api.signIn({ name: session.account.name, password: values.new });
    say("The password was changed. Other browsers have to sign in again.");
  });
}

/// Deletes everything that the browser has kept for working without the service.
async function forget() {
  try { for (const name of await caches.keys()) await caches.delete(name); } catch { /* There is none over plain http. */ }
}

/// Deletes everything that was shown to this person, and starts again.
async function leave() {
  await forget();
  location.reload();
}
