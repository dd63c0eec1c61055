// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";

/// Asks for fields in a dialog and sends them. If they are refused, the dialog stays open and shows the reason. Cancel
/// sends nothing.
///
/// - `send`: called with the values, and the names of the changed fields.
/// - `note`: a sentence that is shown instead of fields.
/// - `isNeeded`: whether the dialog cannot be cancelled.
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
  // Browsers close a dialog at the second Escape even if the first was refused, so open it again.
  dialog.onclose = () => { if (isNeeded && made.isConnected && !made.dataset.sent) dialog.showModal(); };
  dialog.replaceChildren(made);
  if (!dialog.open) dialog.showModal();
  inputs[0]?.input.focus();
}
