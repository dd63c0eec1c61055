// SPDX-License-Identifier: Apache-2.0
// @ts-check

const strange = "The page and the service do not understand each other: load the page again.";
const away = "The service does not answer at the moment: try again.";
const restored = "The service was restored from a copy: load the page again.";
const unsure = "It may have been done: look before you try again.";
const signedOut = "You are signed out: sign in again.";

/** The page's own sentences for the codes of errors. @type {Record<string, string>} */
const sentences = {
  account_ended: signedOut, key_ended: signedOut, sign_in: signedOut,
  busy: "Too many ask the service at the moment: try again.",
  compacted: restored, epoch_changed: restored, future_revision: restored,
  denied: "You may not do this: it belongs to somebody else, or your account may only look.",
  forgotten: unsure, may_be_done: unsure, request_conflict: unsure,
  internal: "The service failed at this: try again, and tell its keeper if it stays so.",
  invalid: "The service does not take this: check it.",
  no_accounts: "This service has no accounts.",
  not_encrypted: "Passwords travel here only with https: open the page so.",
  not_found: "It is not there any more: somebody removed it.",
  not_yet: away, outside_region: "This service does not know that part of the world.", unavailable: away,
  storage_full: "The service has no room left: tell its keeper.",
  too_large: "This is too much: shorten it, or remove something first.",
  version_mismatch: "Others change this at the same moment: try again.",
  wrong_password: "The name or the password is wrong, or the invitation is for another name, used or too old.",
};

/// Returns the sentence for an error of the service. A value that is `invalid` has a sentence for people in `detail`; one
/// about the parts of a request is for programs.
/** @param {{ code?: string, detail?: string }} problem @returns {string} */
export function sentence({ code = "unavailable", detail = "" }) {
  if (code === "invalid" && /^The (source |[a-z][a-z ]* (is|holds|begins) )/u.test(detail) && !/^The (body|field|header|parameter|path|query|request)\b/u.test(detail)) return detail;
  return Object.hasOwn(sentences, code) ? sentences[code] : strange;
}
