// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

/// Asks for fields in a dialog; sends them, and stays open with the reason when they are refused. Cancel sends nothing.
///
/// - `send`: gets the values, and the names of those that are not as they were.
/// - `note`: a sentence instead of fields.
/// - `isNeeded`: it cannot be cancelled.
export function form(title, fields, action, send, { note = "", isNeeded = note !== "" } = {}) {
  const dialog = find("dialog"), problem = element("p", { role: "alert" });
  const inputs = fields.map(({ name, label, value, long, ...rest }) => {
    const input = element(long ? "textarea" : "input", { name, value: value ?? "", ...rest });
    return { input, block: element("label", {}, label, input) };
  });
  const read = () => Object.fromEntries(inputs.map(({ input }) =>
    [input.name, input.type === "password" ? input.value : input.value.trim()]));
  const first = read();
  const submit = element("button", { type: "submit", className: "chief", hidden: !action }, action);
  const made = element("form", {
    noValidate: false,
    onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      problem.textContent = "";
      try {
        const values = read();
        await send(values, Object.keys(values).filter((name) => values[name] !== first[name]));
        made.dataset.sent = "yes";
        dialog.close();
      } catch (error) {
        problem.textContent = error.message;
      }
      submit.disabled = false;
    },
  }, element("h2", { id: "dialog-title" }, title), element("p", { hidden: !note }, note), ...inputs.map((each) => each.block), problem,
  element("div", { className: "row" }, submit,
    isNeeded ? "" : element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  dialog.oncancel = (event) => { if (isNeeded) event.preventDefault(); };
  // Browsers close at the second Escape whatever the first one was told.
  dialog.onclose = () => { if (isNeeded && made.isConnected && !made.dataset.sent) dialog.showModal(); };
  dialog.replaceChildren(made);
  if (!dialog.open) dialog.showModal();
  inputs[0]?.input.focus();
}

/// Asks something while a form is open, which then comes back as it was: gives the answers, or throws for Cancel.
export function ask(title, content, action) {
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
