// SPDX-License-Identifier: Apache-2.0

import { element } from "./dom.js";

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
