// SPDX-License-Identifier: Apache-2.0

import { asPerson } from "./account.js";
import { ask } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element, name } from "./dom.js";
import { say } from "./notice.js";
import { ending } from "./shares.js";
import * as words from "./words.js";

const apps = { owntracks: "OwnTracks", overland: "Overland", traccar: "Traccar Client", osmand: "OsmAnd", gpslogger: "GPSLogger" };

/// Shows the phones that move a landmark, and makes keys for further ones.
export const openPhones = ({ id, name: title }) => asPerson(async (user) => {
  try {
    const { phones } = await ask("GET", "/v1/phones", { user });
    const made = await dialog(`Phones that move ${title}`, (close) => element("div", {},
      ...phones.filter(({ landmark }) => landmark === id).map((phone) => row(phone, user)),
      element("p", {}, "A phone gets a key, with which an app such as OwnTracks moves this landmark and does nothing else."),
      element("div", { className: "row" }, button("Make a key", () => close(true), { className: "chief" }), button("Close", () => close()))));
    if (made) openKey(await ask("POST", "/v1/phones", { user, body: { landmark: id } }));
  } catch (error) {
    say(error.message);
  }
});

const row = ({ fingerprint, label, used }, user) => ending(`phones/${fingerprint}`, user, `End the key of ${label}`,
  name(label), element("span", {}, used ? `last ${words.time(used)}` : "not used yet"));

/// Shows a key in the settings of each app. Nobody can show it again.
const openKey = (phone) => dialog("The key of the phone", (close) => element("div", {},
  element("p", {}, "It is shown only now. For OwnTracks point the phone's camera at the picture, or open the link on the phone."),
  phone.qr ? picture(phone.qr) : "", element("p", {}, element("a", { href: phone.link }, "Open OwnTracks")),
  ...Object.entries(phone.apps).map(([app, settings]) => element("details", {}, element("summary", {}, apps[app] ?? app),
    element("dl", {}, ...Object.entries(settings).flatMap(([each, value]) => [element("dt", {}, each), element("dd", { dir: "ltr" }, value)])))),
  button("Close", () => close())), { isNeeded: true });

/// Draws a QR code, dark on white whatever the page's colours are.
function picture({ size, path }) {
  const make = (tag, properties) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [each, value] of Object.entries(properties)) made.setAttribute(each, value);
    return made;
  };
  const svg = make("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" });
  svg.append(make("path", { d: `M0 0h${size}v${size}h-${size}z`, fill: "#fff" }), make("path", { d: path, fill: "#000" }));
  return svg;
}
