// SPDX-License-Identifier: Apache-2.0

export const find = (id) => document.getElementById(id);

/// Makes an element. Strings among the children become text, never HTML, because names come from other people.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/// Makes a button.
export const button = (label, onclick, properties = {}) => element("button", { type: "button", onclick, ...properties }, label);

/// Makes the name of something. Its direction of writing does not turn the text around it.
export const name = (text) => element("bdi", { className: "name" }, text);

const panels = ["browse", "detail", "editor"];
let kept = [];

/// Shows one part of the panel instead of the others. The list is where it was when it comes back; the others begin at
/// their top.
export function turn(name) {
  const boxes = ["panel", "browse", "list"].map(find);
  if (!find("browse").hidden) kept = boxes.map((box) => box.scrollTop);
  for (const each of panels) find(each).hidden = each !== name;
  boxes.forEach((box, place) => { if (name === "browse") box.scrollTop = kept[place] ?? 0; });
  if (name !== "browse") find("panel").scrollTop = find(name).scrollTop = 0;
}
