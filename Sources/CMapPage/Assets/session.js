// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { Part } from "./part.js";
import { forgetSaved } from "./saved.js";

/// The account that is signed in. If accounts are not required, it is null, and everybody may do everything.
export const session = { isNeeded: false, account: null };

/// The forms about the account, or about the name where there are no accounts.
export const accountForms = new Part(() => import("./account.js"));

const isModerator = () => ["moderator", "admin"].includes(session.account?.role);

/// Whether the service would allow an action. The service checks this again when the action is done.
export const mayAdd = () => !session.isNeeded || isModerator() || session.account?.role === "user";
export const mayChange = (thing) => !session.isNeeded || isModerator()
  || (mayAdd() && thing.account !== undefined && thing.account === session.account.number);

const ask = () => api.session().catch(() => null);

/// Asks who is signed in, and tells the window by the event `session`. If accounts are required, waits until somebody has
/// signed in. If the service cannot be reached, the page uses what the browser has kept, and asks again until it is told.
///
/// - Returns: whether somebody had to sign in, so that the service refused what was asked before.
export async function startSession() {
  const told = await ask(), isLate = Boolean(told?.accounts && !told.account);
  if (told?.accounts) {
    Object.assign(session, { isNeeded: true, account: told.account });
    if (isLate) {
      // A different person may have used this browser before.
      await forget();
      while (!session.account) {
        if (!await accountForms.use(({ signIn }) => signIn(told.problem))) await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
    document.documentElement.dataset.adding = mayAdd() ? "allowed" : "refused";
    addEventListener("signedout", checkSession);
  } else learn(told);
  dispatchEvent(new Event("session"));
  return isLate;
}

/// Asks again and again. If accounts are required, the page has to start again, because everything was asked, and drawn,
/// as if they were not; what is kept stays, for it is unknown whether the person has changed.
function learn(told) {
  // Starting again would delete what somebody types.
  if (!told || told.accounts && document.querySelector("dialog,textarea")) setTimeout(async () => learn(await ask()), 3000);
  else if (told.accounts) location.reload();
}

/// Starts again if the session has ended. Asks the service, because a stream of changes that breaks does not say why, and
/// because a refusal may be older than the session.
export async function checkSession() {
  if (!session.account) return;
  const told = await ask();
  // Another window may have signed in as somebody else.
  if (told?.accounts && told.account?.number !== session.account?.number) leave();
}

/// Deletes everything that the browser has kept for working without the service.
async function forget() {
  forgetSaved();
  try { for (const name of await caches.keys()) await caches.delete(name); } catch { /* There is none over plain http. */ }
}

/// Deletes everything that was shown to this person, and starts again.
export async function leave() {
  await forget();
  location.reload();
}
