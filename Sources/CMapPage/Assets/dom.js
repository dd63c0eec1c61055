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

/// Makes a link; plain text if the address is no web address, so that `javascript:` and the like never become links.
export function link(address) {
  let url = null;
  try { url = new URL(address); } catch { return element("span", {}, address); }
  if (url.protocol !== "https:" && url.protocol !== "http:") return element("span", {}, address);
  return element("a", { href: url.href, rel: "noopener noreferrer nofollow", target: "_blank" }, address);
}
