// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { colour } from "./layer.js";
import { say } from "./notice.js";
import { Part } from "./part.js";
import { task } from "./task.js";
import { metres, place } from "./words.js";

/// The zoom to which the button comes back, and the least one at first; the pixels from the map's centre that count as
/// away from it; and when the address is asked for again.
const near = 15, least = 13, away = 30, mostMetres = 100, mostPace = 5000;

const forms = new Part(() => import("./form.js"));

/// The person's own position, which the browser tells after they press the button, or which they set by hand. The map
/// follows the position until the person moves the map; then the button comes back to it.
export class OwnPosition {
  at = null;
  #watch = 0;
  #follows = false;
  /// The last answer about where that is: its position, its time and its text.
  #where = null;

  constructor(map, overlay, changed) {
    Object.assign(this, { map, changed });
    this.redraw = overlay.add(() => !this.at, (pen, project) => this.#draw(pen, project([this.at])[0]));
    find("locate").addEventListener("click", () => this.#press());
    map.on("dragstart", () => { this.#follows = false; });
    map.on("moveend", () => { this.#follows &&= !this.at || this.#far < away; });
  }

  get #far() { return this.map.latLngToContainerPoint(this.at).distanceTo(this.map.getSize().divideBy(2)); }

  #press() {
    if (!this.#watch && !this.at) return this.#ask();
    if (!this.at || this.#follows) return this.#stop();
    this.#follows = true;
    this.map.setView(this.at, near, { animate: false });
  }

  #ask() {
    find("locate").setAttribute("aria-pressed", "true");
    this.#follows = true;
    if (!navigator.geolocation) return this.#byHand();
    this.#watch = navigator.geolocation.watchPosition(({ coords }) => this.#set(
      { lat: coords.latitude, lng: coords.longitude, accuracy: coords.accuracy }), (error) => this.#fail(error),
    { enableHighAccuracy: true, timeout: 15000 });
  }

  /// Handles an error. Keeps the last position while the browser still tries, as in a tunnel; a refusal removes it.
  #fail(error) { if (!this.at || error.code === error.PERMISSION_DENIED) this.#byHand(); }

  async #byHand() {
    this.#stop();
    const { lat, lng } = this.map.getCenter().wrap();
    const values = await forms.use(({ form }) => form("Your position is not known: set it by hand", [
      { name: "lat", label: "Latitude", type: "number", step: "any", min: -90, max: 90, value: Number(lat.toFixed(5)), required: true },
      { name: "lng", label: "Longitude", type: "number", step: "any", min: -180, max: 180, value: Number(lng.toFixed(5)), required: true },
    ], "Set"));
    if (!values) return;
    find("locate").setAttribute("aria-pressed", "true");
    this.#follows = true;
    this.#set({ lat: Number(values.lat), lng: Number(values.lng), accuracy: 0 });
  }

  #set(at) {
    if (!this.at) say(`You are at ${place(at)}.`);
    const zoom = this.at ? this.map.getZoom() : Math.max(least, this.map.getZoom());
    this.at = at;
    if (this.#follows) this.map.setView(at, zoom, { animate: false });
    this.redraw();
    this.#tell();
    this.changed();
  }

  #stop() {
    if (this.#watch) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = 0;
    this.at = this.#where = null;
    this.#follows = false;
    find("locate").setAttribute("aria-pressed", "false");
    this.redraw();
    task("position");
    this.changed();
  }

  /// Shows the coordinates at once, and the town after the service has answered.
  async #tell() {
    const { at } = this, old = this.#where, accuracy = Math.round(at.accuracy);
    const show = () => task("position", element("span", {},
      [place(this.at) + (accuracy ? ` ± ${accuracy} m` : ""), this.#where?.text].filter(Boolean).join(" · ")));
    show();
    if (old && (metres(old.at, at) < mostMetres || Date.now() - old.asked < mostPace)) return;
    const where = this.#where = { at, asked: Date.now(), text: old?.text ?? "" };
    const answer = await api.where(at).catch(() => null);
    if (this.#where !== where || !answer?.text) return;
    where.text = `${answer.text} (${answer.attribution})`;
    show();
  }

  #draw(pen, { x, y }) {
    const metresOfPixel = 156543.03 * Math.cos(this.at.lat * Math.PI / 180) / 2 ** this.map.getZoom();
    // The ring around the dot and the wide ground tell it from a landmark.
    for (const [radius, fill, shade] of [[Math.min(4000, this.at.accuracy / metresOfPixel), "#1a73e8", 0.15], [13, colour("ground"), 1], [7, "#1a73e8", 1]]) {
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.globalAlpha = shade;
      pen.fillStyle = fill;
      pen.fill();
    }
    pen.beginPath();
    pen.arc(x, y, 13, 0, 2 * Math.PI);
    [pen.lineWidth, pen.strokeStyle] = [2, "#1a73e8"];
    pen.stroke();
  }
}
