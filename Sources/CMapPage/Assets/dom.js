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

/// Makes a link; plain text if the address is neither of the web nor of mail, so that `javascript:` and the like never
/// become links. The text begins with the host that is really asked: a name before an @ in the address is not it.
export function link(address) {
  let url = null;
  try { url = new URL(address); } catch { return element("span", {}, address); }
  const isMail = url.protocol === "mailto:";
  if (!isMail && url.protocol !== "https:" && url.protocol !== "http:") return element("span", {}, address);
  url.username = url.password = "";
  const text = isMail ? url.pathname : url.href.replace(/^https?:\/\//, "").replace(/^([^/]*)\/$/, "$1");
  return element("a", { href: url.href, rel: "noopener noreferrer nofollow", target: isMail ? "" : "_blank", dir: "ltr" }, text);
}

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

/// Makes the children of `old` like those of `made`. Equal nodes stay, and with them selected text and the focus. A
/// button or link stays only as a whole, because it may do something else under another name.
export function morph(old, made) {
  const present = [...old.childNodes], wanted = [...made.childNodes];
  const shell = (node) => node.nodeType === 1 && !["BUTTON", "A"].includes(node.tagName) && node.cloneNode(false);
  wanted.forEach((each, place) => {
    const was = present[place];
    if (!was) return old.append(each);
    if (was.isEqualNode(each)) return;
    const outer = shell(each);
    if (outer && shell(was) && outer.isEqualNode(shell(was))) morph(was, each); else was.replaceWith(each);
  });
  for (const each of present.slice(wanted.length)) each.remove();
}
