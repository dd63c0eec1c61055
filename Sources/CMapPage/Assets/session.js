// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { element } from "./dom.js";
import { form } from "./form.js";
import { say } from "./notice.js";
import { forgetSaved } from "./saved.js";

/// The account that is signed in. If accounts are not required, it is null, and everybody may do everything.
export const session = { isNeeded: false, account: null };

const isModerator = () => ["moderator", "admin"].includes(session.account?.role);

/// Whether the service would allow an action. The service checks this again when the action is done.
export const mayAdd = () => !session.isNeeded || isModerator() || session.account?.role === "user";
export const mayChange = (thing) => !session.isNeeded || isModerator()
  || (mayAdd() && thing.account !== undefined && thing.account === session.account.number);

/// Asks who is signed in, and tells the window by the event `session`. If accounts are required, waits until somebody has
/// signed in. If the service cannot be reached, the page uses what the browser has kept.
///
/// - Returns: whether somebody had to sign in, so that the service refused what was asked before.
export async function startSession() {
  const told = await api.session().catch(() => null), isLate = Boolean(told?.accounts && !told.account);
  if (told?.accounts) {
    Object.assign(session, { isNeeded: true, account: told.account });
    if (isLate) {
      // A different person may have used this browser before.
      await forget();
      await signIn(told.problem);
    }
    document.documentElement.dataset.adding = mayAdd() ? "allowed" : "refused";
    addEventListener("signedout", checkSession);
  }
  dispatchEvent(new Event("session"));
  return isLate;
}

/// Starts again if the session has ended. Asks the service, because a stream of changes that breaks does not say why, and
/// because a refusal may be older than the session.
export async function checkSession() {
  if (!session.account) return;
  const told = await api.session().catch(() => null);
  // Another window may have signed in as somebody else.
  if (told?.accounts && told.account?.number !== session.account.number) leave();
}

function signIn(problem) {
  if (problem) return form("Sign in", [], null, null, { note: problem });
  return form("Sign in", [
    { name: "name", label: "Name", required: true, maxLength: 64, autocomplete: "username", autocapitalize: "none" },
    { name: "password", label: "Password", type: "password", required: true, autocomplete: "current-password" },
    { name: "code", label: "Invitation code, only the first time", autocomplete: "off" },
  ], "Sign in", async ({ name, password, code }) => {
    session.account = (await api.signIn({ name, password, ...(code ? { code } : {}) })).account;
  }, { isNeeded: true });
}

export async function showAccount() {
  const button = (label, onclick) => element("button", { type: "button", onclick }, label);
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
    await api.signIn({ name: session.account.name, password: values.new });
    say("The password was changed. Other browsers have to sign in again.");
  });
}

/// Deletes everything that the browser has kept for working without the service.
async function forget() {
  forgetSaved();
  try { for (const name of await caches.keys()) await caches.delete(name); } catch { /* There is none over plain http. */ }
}

/// Deletes everything that was shown to this person, and starts again.
async function leave() {
  await forget();
  location.reload();
}
