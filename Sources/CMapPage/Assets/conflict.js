// SPDX-License-Identifier: Apache-2.0

import { element } from "./dom.js";
import { fields } from "./edits.js";
import { form } from "./form.js";

const labels = { text: "Note", lat: "Position", ...Object.fromEntries(fields({}).map(({ name, label }) => [name, label.split(",")[0]])) };
const parts = (name) => (name === "lat" ? ["lat", "lng"] : [name]);

/// Returns the part of `body` that is still to be sent, after the person edited `base` while others changed it to
/// `now`. A position counts as one field.
export async function settle(base, now, body) {
  const differ = (a, b, name) => parts(name).some((each) => (a[each] ?? null) !== (b[each] ?? null));
  const both = Object.keys(body).filter((name) => labels[name] && differ(base, now, name) && differ(now, body, name));
  if (!both.length) return body;
  const choice = (name, whose, from) => {
    const text = parts(name).map((each) => from[each] ?? "none").join(", ");
    return element("td", {}, element("label", {}, element("input", { type: "radio", name, value: whose, required: true,
      "aria-label": `${labels[name]}, ${whose}: ${text}` }), element("bdi", {}, text)));
  };
  const row = (scope, ...cells) => element("tr", {}, ...cells.map((cell) => (cell.tagName ? cell : element("th", { scope }, cell))));
  const block = element("div", { className: "choices" }, element("p", {}, "Choose what to keep of what both of you changed."), element("table", {},
    element("thead", {}, row("col", "Field", "Theirs", "Mine")), element("tbody", {}, ...both.map((name) =>
      row("row", labels[name], choice(name, "theirs", now), choice(name, "mine", body))))));
  const read = () => both.filter((name) => block.querySelector(`[name=${name}]:checked`).value === "theirs");
  const { theirs } = await ask(`Somebody changed ${now.name ?? "the note"} before you`, [{ name: "theirs", block, read }], "Save");
  const dropped = theirs.flatMap(parts);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name)));
}

export const askBack = (name) => ask(`${name} was removed meanwhile`,
  [{ block: element("p", {}, "It can be brought back with its notes and history, and with what you changed.") }], "Bring it back");

/// Asks a question above the form. Throws if the person cancels.
async function ask(title, fields, action) {
  const answers = await form(title, fields, action);
  if (!answers) throw new Error("Nothing was saved.");
  return answers;
}
