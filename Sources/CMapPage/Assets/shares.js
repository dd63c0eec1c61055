// SPDX-License-Identifier: Apache-2.0

import { asPerson } from "./account.js";
import { ask } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element, name } from "./dom.js";
import { form } from "./form.js";
import { copy, say } from "./notice.js";
import { span } from "./spans.js";

const hour = 3600000, letters = 64;
const ends = [[String(hour), "in 1 hour"], [String(24 * hour), "in 1 day"], ["", "when I end it"]];
const shown = [["", "where it is"], ["track", "where it is and was"]];

/// Makes a link that shows a landmark or a kept area to whoever has it.
///
/// - `title`: its name.
/// - `target`: `landmark` or `fence`, as the service takes them.
export const share = ({ title, ...target }) => asPerson(async (user) => {
  const made = await form(`Link to ${title}`, [
    { name: "lasting", label: "The link ends", value: String(hour), options: ends },
    ...target.landmark ? [{ name: "track", label: "It shows", value: "", options: shown }] : [],
    { block: button("My links", () => openLinks(user).catch((error) => say(error.message))) },
  ], "Make the link", ({ lasting, track }) => ask("POST", "/v1/shares", { user, body: { ...target, label: [...title].slice(0, letters).join(""),
    ...track ? { track: true } : {}, ...lasting ? { expires: new Date(Date.now() + Number(lasting)).toISOString() } : {} } }));
  if (made) openLink(location.origin + made.path);
});

/// Shows a link, which nobody can show again.
function openLink(url) {
  return dialog("Link that ends", (close) => element("div", {},
    element("input", { value: url, readOnly: true, "aria-label": "The link", dir: "ltr", onfocus: ({ target }) => target.select() }),
    element("p", {}, "Whoever has this link looks without an account, and can change nothing. It is shown only now."),
    element("div", { className: "row" },
      button("Copy", () => copy(url, "The link was copied.", "Copy the link from its field."), { className: "chief" }), button("Close", () => close()))));
}

/// Makes a row of a list whose button ends what the row tells.
export function ending(path, user, title, ...parts) {
  const end = () => ask("DELETE", `/v1/${path}`, { user }).then(() => row.remove(), (error) => say(error.message));
  const row = element("div", { className: "row" }, ...parts, button("End", end, { "aria-label": title, className: "bad" }));
  return row;
}

async function openLinks(user) {
  const { shares } = await ask("GET", "/v1/shares?limit=1000", { user });
  const row = ({ fingerprint, label, expires, user: owner }) => {
    const until = expires ? `ends in ${span(Math.max(0, Date.parse(expires) - Date.now()))}` : "stays until you end it";
    return ending(`shares/${fingerprint}`, user, `End the link to ${label}`, name(label || "A link"), element("span", {}, owner ?? ""), element("span", {}, until));
  };
  return dialog("My links", (close) => element("div", {}, ...shares.map(row),
    element("p", {}, shares.length ? "" : "You have no links."), button("Close", () => close())));
}
