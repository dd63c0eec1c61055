// SPDX-License-Identifier: Apache-2.0

import { dialog } from "./dialog.js";
import { button, element } from "./dom.js";

/// Makes a control and its label. A field with `options` has these values and texts. One with `pick` is a button that asks
/// for the value. `show` says the value in words.
function control({ name, label, value, long, options, pick, show, isMore = false, ...rest }) {
  const input = element(pick ? "button" : options ? "select" : long ? "textarea" : "input", { ...rest, name, value: value ?? "" },
    ...(options ?? []).map(([each, text]) => element("option", { value: each, selected: each === value }, text)));
  const { type } = input, isNumber = ["number", "range"].includes(type), told = show && !pick ? element("span") : null;
  const draw = () => {
    (told || input).textContent = show(input.value);
    if (told) input.setAttribute("aria-valuetext", told.textContent);
  };
  const read = () => {
    const text = type === "password" ? input.value : input.value.trim();
    return text === "" ? null : isNumber ? Number(text) : text;
  };
  if (pick) {
    const name = () => {
      draw();
      input.setAttribute("aria-label", `${label}: ${input.textContent}`);
    };
    Object.assign(input, { type: "button", ariaHasPopup: "dialog", onclick: async () => {
      input.value = await pick(input.value) ?? input.value;
      name();
    } });
    name();
  } else if (told) {
    input.addEventListener("input", draw);
    draw();
  } else if (!isNumber && type !== "password") input.dir = "auto";
  return { name, label, input, read, isMore, first: read(), block: element("label", {}, label, told ? " " : "", told, input) };
}

/// Makes a form. If what is sent is refused, the form stays as it is and shows the reason.
///
/// - `fields`: objects of `name`, `label` and `value`; those with `isMore` are folded, `block` is an element to show.
/// - `send`: called with all values and with the changed ones. An empty text is null, and a number is a number.
/// - `close`: called with the result of `send`, or the values if there is none; with undefined when the person cancels.
/// - `note`: a sentence above the fields.
export function makeForm(fields, action, send, close, { note = "", isNeeded = note !== "" } = {}) {
  const all = fields.map((field) => (field.block ? field : control(field))), inputs = all.filter(({ read }) => read);
  const more = all.filter(({ isMore }) => isMore), problem = element("p", { role: "alert" });
  let isSending = false;
  const details = element("details", { hidden: !more.length, open: more.some(({ first }) => first != null) },
    element("summary", {}, "More"), ...more.map(({ block }) => block));
  const made = element("form", { onsubmit: async (event) => {
    event.preventDefault();
    if (isSending) return;
    const values = Object.fromEntries(inputs.map(({ name, read }) => [name, read()]));
    const missing = inputs.find(({ name, input }) => input?.required && values[name] === null);
    problem.textContent = missing ? `${missing.label.split(",")[0]} is empty: write something.` : "";
    if (missing) return missing.input.focus();
    isSending = true;
    try {
      const changes = inputs.filter(({ name, first }) => values[name] !== first).map(({ name }) => [name, values[name]]);
      close(await send?.(values, Object.fromEntries(changes)) ?? values);
    } catch (error) {
      problem.textContent = error.message;
    }
    isSending = false;
  } }, note && element("p", {}, note), ...all.filter(({ isMore }) => !isMore).map(({ block }) => block), details,
  element("div", { className: "foot" }, problem, element("div", { className: "row" },
    button(action, null, { type: "submit", className: "chief", hidden: !action }),
    isNeeded ? "" : button("Cancel", () => close()))));
  // A browser cannot show its complaint about a folded field.
  made.addEventListener("invalid", ({ target }) => { if (details.contains(target)) details.open = true; }, true);
  return Object.assign(made, { isChanged: () => inputs.some(({ read, first }) => read() !== first) });
}

/// Asks for fields in a dialog. Returns as `dialog`: see `makeForm`.
export const form = (title, fields, action, send, options = {}) =>
  dialog(title, (close) => makeForm(fields, action, send, close, options), { isNeeded: options.isNeeded ?? Boolean(options.note) });

/// Reads a place as people write it, latitude first; null if the text is none.
export function readPlace(text) {
  const [, lat, lng] = /^\s*([+-]?\d{1,3}(?:\.\d+)?)[°\s]*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)[°\s]*$/u.exec(text)?.map(Number) ?? [];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

/// Reads an amount, and returns it with a point before its fraction; null if the text is none. A comma separates
/// thousands, or one or two digits of a fraction.
export function amount(text) {
  const bare = text.replace(/[\s'’]/gu, "").replace(/^\.(?=\d)/u, "0.").replace(/\.$/u, "");
  const plain = /^\d+,\d\d?$/u.test(bare) ? bare.replace(",", ".")
    : /^\d{1,3}(,\d{3})+(\.\d+)?$/u.test(bare) ? bare.replaceAll(",", "") : bare;
  return /^\d+(\.\d+)?$/u.test(plain) && plain.length < 19 ? plain : null;
}
