// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { fields } from "./edits.js";

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
      "aria-label": `${labels[name]}, ${whose}: ${text}` }), text));
  };
  const row = (scope, ...cells) => element("tr", {}, ...cells.map((cell) => (cell.tagName ? cell : element("th", { scope }, cell))));
  const answers = await ask(`Somebody changed ${now.name ?? "the note"} before you`,
    element("div", { className: "choices" }, element("p", {}, "Choose what to keep of what both of you changed."), element("table", {},
      element("thead", {}, row("col", "Field", "Theirs", "Mine")), element("tbody", {}, ...both.map((name) =>
        row("row", labels[name], choice(name, "theirs", now), choice(name, "mine", body)))))), "Save");
  const dropped = both.filter((name) => answers[name] === "theirs").flatMap(parts);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name)));
}

export const askAnew = (name) => ask(`${name} was removed meanwhile`,
  element("p", {}, "It can be added anew with what you changed, but without its notes and history."), "Add it anew");

/// Asks a question while a form is open, and then restores the form. Returns the answers; throws if the person cancels.
function ask(title, content, action) {
  const dialog = find("dialog"), under = [...dialog.childNodes], { open, oncancel, onclose } = dialog;
  return new Promise((resolve, reject) => {
    const end = () => {
      Object.assign(dialog, { oncancel, onclose });
      if (!open) return dialog.close();
      dialog.replaceChildren(...under);
      if (!dialog.open) dialog.showModal();
      dialog.querySelector("input, textarea")?.focus();
    };
    const leave = () => { end(); reject(new Error("Nothing was saved.")); };
    const made = element("form", { onsubmit: (event) => {
      event.preventDefault();
      const answers = Object.fromEntries(new FormData(made));
      end();
      resolve(answers);
    } }, element("h2", { id: "dialog-title" }, title), content, element("div", { className: "row" },
      element("button", { type: "submit", className: "chief" }, action),
      element("button", { type: "button", onclick: leave }, "Cancel")));
    dialog.oncancel = (event) => { event.preventDefault(); leave(); };
    dialog.onclose = leave;
    dialog.replaceChildren(made);
    if (!open) dialog.showModal();
    made.querySelector("input, button").focus();
  });
}
