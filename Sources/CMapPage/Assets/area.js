// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import { canvasLayer, colour } from "./layer.js";
import { say } from "./notice.js";
import { count } from "./words.js";

const most = 60;
const phrases = { added: "was added in the area", removed: "was removed in the area", entered: "entered the area",
  left: "left the area" };

/// An area that a person draws and watches. Messages say which landmarks enter and leave it. The corners are set by
/// clicks, or at the map's centre by Enter on the map.
export class AreaWatch {
  isOn = false;
  #corners = [];
  #isWatching = false;
  #told = [];
  #timer = 0;

  constructor(map, view) {
    Object.assign(this, { map, view });
    this.redraw = canvasLayer(map, (pen) => this.#draw(pen));
    find("area").addEventListener("click", () => (this.isOn || this.#isWatching ? this.clear() : this.#begin()));
    find("map").addEventListener("keydown", (event) => {
      if (!this.isOn) return;
      if (event.key === "Enter") this.mark(map.getCenter());
      if (event.key === "Escape") this.clear();
    });
    if (view.area.length > 2) {
      this.#corners = view.area;
      this.#watch();
    }
  }

  #begin() {
    this.isOn = true;
    this.#corners = [];
    this.#show();
  }

  clear() {
    this.isOn = this.#isWatching = false;
    clearTimeout(this.#timer);
    [this.#timer, this.#told, this.#corners, this.view.area] = [0, [], [], []];
    this.view.write();
    this.#show();
  }

  /// Adds a corner. A click on the first corner completes the area.
  mark(at) {
    const point = this.map.latLngToContainerPoint(at), first = this.#corners[0];
    if (first && this.#corners.length > 2 && this.map.latLngToContainerPoint(first).distanceTo(point) < 22) return this.#finish();
    if (this.#corners.length < most) this.#corners.push({ lat: at.lat, lng: at.lng });
    this.#show();
  }

  #finish() {
    this.isOn = false;
    this.view.area = this.#corners;
    this.view.write();
    this.#watch();
  }

  /// The corners, of which the first is within ±180, however often the map was moved around the earth.
  get #ring() {
    const turns = 360 * Math.round(this.#corners[0].lng / 360);
    return this.#corners.map(({ lat, lng }) => ({ lat, lng: lng - turns }));
  }

  /// Returns the area as the service reads it: longitude before latitude, counterclockwise, the first corner also at
  /// the end.
  #text() {
    const ring = this.#ring.map(({ lat, lng }) => [Number(lng.toFixed(6)), Number(lat.toFixed(6))]);
    const turn = this.#corners.reduce((sum, a, index) => {
      const b = this.#corners[(index + 1) % this.#corners.length];
      return sum + (b.lng - a.lng) * (b.lat + a.lat);
    }, 0);
    if (turn > 0) ring.reverse();
    return JSON.stringify({ type: "Polygon", coordinates: [[...ring, ring[0]]] });
  }

  /// Returns places around the area that is watched, for the stream of changes.
  corners() {
    if (!this.#isWatching) return [];
    const ring = this.#ring, isSplit = ring.some(({ lng }) => Math.abs(lng) > 180);
    return isSplit ? ring.flatMap(({ lat }) => [{ lat, lng: -180 }, { lat, lng: 180 }]) : ring;
  }

  /// Returns whether the area contains a place. Its edges are straight in longitude and latitude, as for the service.
  #contains(place) {
    const ring = this.#ring;
    return [-360, 0, 360].some((turn) => ring.reduce((isIn, a, index) => {
      const b = ring[(index + 1) % ring.length];
      if (a.lat > place.lat === b.lat > place.lat) return isIn;
      return isIn !== place.lng + turn < a.lng + (b.lng - a.lng) * (place.lat - a.lat) / (b.lat - a.lat);
    }, false));
  }

  async #watch() {
    const within = this.#text(), { lat, lng } = this.#ring[0], corners = this.#corners;
    this.#isWatching = true;
    this.#show();
    try {
      const page = await api.near({ lat, lng, limit: 1000, within });
      if (this.#corners !== corners) return;
      say(`The area is watched. ${page.cursor ? "More than 1,000 landmarks are" : count(page.landmarks.length, "landmark is", "landmarks are")} in it.`);
    } catch (error) {
      this.clear();
      return say(error.message);
    }
  }

  /// Tells what a change adds to the area or takes from it. Collects the changes of one second into one message.
  apply({ op, before, landmark }) {
    if (!this.#isWatching) return;
    const was = op !== "added" && this.#contains(before ?? landmark), is = op !== "removed" && this.#contains(landmark);
    if (was === is) return;
    this.#told.push(`${landmark.name} ${phrases[was ? op === "removed" ? op : "left" : op === "added" ? op : "entered"]}.`);
    this.#timer ||= setTimeout(() => {
      const told = this.#told;
      [this.#told, this.#timer] = [[], 0];
      say(told.length > 3 ? `${told.at(-1)} And ${count(told.length - 1, "other change")} in the area.` : told.join(" "));
    }, 700);
  }

  #show() {
    find("area").setAttribute("aria-pressed", String(this.isOn || this.#isWatching));
    const left = 3 - this.#corners.length;
    find("task").hidden = !this.isOn;
    if (this.isOn) {
      const text = left === 3 ? "Click the corners of the area, or move the map and press Enter on it."
        : left > 0 ? `${count(left, "more corner")} at least.` : `${this.#corners.length} corners.`;
      find("task").replaceChildren(element("span", {}, text),
        element("button", { type: "button", className: "chief", disabled: left > 0, onclick: () => this.#finish() }, "Watch"),
        element("button", { type: "button", onclick: () => this.clear() }, "Cancel"));
    }
    this.redraw();
  }

  #draw(pen) {
    if (!this.#corners.length) return;
    const shift = 360 * Math.round((this.map.getCenter().lng - this.#corners[0].lng) / 360);
    const points = this.#corners.map(({ lat, lng }) => this.map.latLngToContainerPoint([lat, lng + shift]));
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    if (!this.isOn) pen.closePath();
    pen.strokeStyle = pen.fillStyle = colour("own");
    pen.lineWidth = 2.5;
    pen.setLineDash([7, 5]);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 0.12;
    pen.fill();
    pen.globalAlpha = 1;
    if (this.isOn) for (const { x, y } of points) pen.fillRect(x - 5, y - 5, 10, 10);
  }
}
