// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { form } from "./form.js";
import { say } from "./notice.js";
import { place } from "./words.js";
import { canvasLayer, colour } from "./layer.js";

/// The person's own position, which the browser tells after they press the button, or which they set by hand. The map
/// follows the position until the person moves the map.
export class OwnPosition {
  at = null;
  #watch = 0;
  #follows = false;

  constructor(map, changed) {
    Object.assign(this, { map, changed });
    this.redraw = canvasLayer(map, (pen) => this.#draw(pen));
    find("locate").addEventListener("click", () => (this.#watch || this.at ? this.#stop() : this.#ask()));
    map.on("dragstart", () => { this.#follows = false; });
    map.getContainer().addEventListener("keydown", ({ key }) => { if (key.startsWith("Arrow")) this.#follows = false; });
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

  #byHand() {
    this.#stop();
    const { lat, lng } = this.map.getCenter().wrap();
    form("Your position is not known: set it by hand", [
      { name: "lat", label: "Latitude", type: "number", step: "any", min: -90, max: 90, value: Number(lat.toFixed(5)), required: true },
      { name: "lng", label: "Longitude", type: "number", step: "any", min: -180, max: 180, value: Number(lng.toFixed(5)), required: true },
    ], "Set", async (values) => {
      find("locate").setAttribute("aria-pressed", "true");
      this.#follows = true;
      this.#set({ lat: Number(values.lat), lng: Number(values.lng), accuracy: 0 });
    });
  }

  #set(at) {
    if (!this.at) say(`You are at ${place(at)}.`);
    this.at = at;
    if (this.#follows) this.map.setView(at, Math.max(13, this.map.getZoom()), { animate: false });
    this.redraw();
    this.changed();
  }

  #stop() {
    if (this.#watch) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = 0;
    this.at = null;
    find("locate").setAttribute("aria-pressed", "false");
    this.redraw();
    this.changed();
  }

  #draw(pen) {
    if (!this.at) return;
    const { x, y } = this.map.latLngToContainerPoint(this.at);
    const metresOfPixel = 156543.03 * Math.cos(this.at.lat * Math.PI / 180) / 2 ** this.map.getZoom();
    for (const [radius, shade] of [[Math.min(4000, this.at.accuracy / metresOfPixel), 0.15], [9, 1]]) {
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.globalAlpha = shade;
      pen.fillStyle = "#1a73e8";
      pen.fill();
    }
    pen.lineWidth = 3;
    pen.strokeStyle = colour("ground");
    pen.stroke();
    pen.globalAlpha = 1;
  }
}
