// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

/// Asks for fields in a dialog; sends them, and stays open with the reason when they are refused. Cancel sends nothing.
export function form(title, fields, action, send) {
  const dialog = find("dialog"), problem = element("p", { role: "alert" });
  const inputs = fields.map(({ name, label, value, long, ...rest }) => {
    const input = element(long ? "textarea" : "input", { name, value: value ?? "", ...rest });
    return { input, block: element("label", {}, label, input) };
  });
  const submit = element("button", { type: "submit", className: "chief" }, action);
  const made = element("form", {
    noValidate: false,
    onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      problem.textContent = "";
      try {
        await send(Object.fromEntries(inputs.map(({ input }) => [input.name, input.value.trim()])));
        dialog.close();
      } catch (error) {
        problem.textContent = error.message;
      }
      submit.disabled = false;
    },
  }, element("h2", { id: "dialog-title" }, title), ...inputs.map((each) => each.block), problem,
  element("div", { className: "row" }, submit,
    element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  dialog.replaceChildren(made);
  if (!dialog.open) dialog.showModal();
  inputs[0]?.input.focus();
}
