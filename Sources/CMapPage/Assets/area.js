// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { button, element, find, name } from "./dom.js";
import { isInside } from "./fence.js";
import { colour } from "./layer.js";
import { say } from "./notice.js";
import { isOwn } from "./account.js";
import { on } from "./state.js";
import { task } from "./task.js";
import { count } from "./words.js";

const most = 60, mostKnown = 1000;
const phrases = { added: "was added in the area", removed: "was removed in the area", entered: "entered the area",
  left: "left the area" };

/// An area that a person draws and watches. Messages say which landmarks enter and leave it. The corners are set by
/// clicks, or at the map's centre by Enter on the map.
export class AreaWatch {
  #corners = [];
  /// The ids of the landmarks in the area; null if they are not known, or too many.
  #inside = null;
  #told = [];
  #timer = 0;

  constructor(map, overlay, state) {
    Object.assign(this, { map, overlay, state, fences: null });
    this.redraw = overlay.add(() => !this.#corners.length, (pen, project) => this.#draw(pen, project(this.#corners)));
    find("map").addEventListener("keydown", ({ key }) => { if (key === "Escape" && this.#isOn) this.clear(); });
    on(state, ["mode", "area"], (before) => this.#turn(before));
    if (this.#isWatching) this.#turn({ mode: null, area: [] });
  }

  get #isOn() { return this.state.mode === "area"; }

  get #isWatching() { return this.state.area.length > 2; }

  /// Begins to draw an area; ends the one that is drawn or watched.
  press() { if (this.#isOn || this.#isWatching) this.clear(); else this.state.set({ mode: "area" }); }

  clear() { this.state.set({ area: [], mode: this.#isOn ? null : this.state.mode }); }

  #turn(before) {
    if (this.#isOn !== (before.mode === "area") || before.area !== this.state.area) {
      this.#corners = this.#isOn && before.area === this.state.area ? [] : this.state.area;
    }
    if (before.area !== this.state.area) {
      clearTimeout(this.#timer);
      [this.#timer, this.#told, this.#inside] = [0, [], null];
      if (this.#isWatching) this.#watch();
    }
    this.#show();
  }

  /// Adds a corner. A click on the first corner completes the area.
  mark({ lat, lng }) {
    const pixel = (at) => this.map.latLngToContainerPoint(at), first = this.#corners[0];
    if (first && this.#corners.length > 2 && pixel(first).distanceTo(pixel({ lat, lng })) < 22) return this.#finish();
    // The address has as many digits, so that the area is the same when it is read from there.
    if (this.#corners.length < most) this.#corners = [...this.#corners, { lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)) }];
    this.#show();
  }

  #finish() { this.state.set({ area: this.#corners, mode: null }); }

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

  /// Returns places around the areas that are watched, for the stream of changes.
  corners() {
    const ring = [...(this.#isWatching ? this.#ring : []), ...(this.fences?.corners() ?? [])], isSplit = ring.some(({ lng }) => Math.abs(lng) > 180);
    return isSplit ? ring.flatMap(({ lat }) => [{ lat, lng: -180 }, { lat, lng: 180 }]) : ring;
  }

  /// Returns whether the area contains a place. Its edges are straight in longitude and latitude, as for the service.
  #contains(place) { return isInside([this.#ring], place) ?? true; }

  #ask() {
    const { lat, lng } = this.#ring[0];
    return api.near({ lat, lng, limit: mostKnown, within: this.#text() });
  }

  async #watch() {
    const corners = this.#corners;
    try {
      const page = await this.#ask();
      if (this.#corners !== corners) return;
      this.#keep(page);
      say(`The area is watched. ${page.cursor ? "More than 1,000 landmarks are" : count(page.landmarks.length, "landmark is", "landmarks are")} in it.`);
    } catch (error) {
      if (this.#corners !== corners) return;
      this.clear();
      say(error.message);
    }
  }

  #keep(page) { this.#inside = page.cursor ? null : new Set(page.landmarks.map(({ id }) => id)); }

  /// Tells what has entered and left while the changes were not told, as after another history.
  async renew() {
    this.fences?.renew();
    if (!this.#isWatching) return;
    const corners = this.#corners, before = this.#inside, page = await this.#ask().catch(() => null);
    if (!page || this.#corners !== corners) return;
    this.#keep(page);
    const now = this.#inside;
    if (!before || !now) return;
    const came = page.landmarks.filter(({ id }) => !before.has(id)), gone = [...before].filter((id) => !now.has(id)).length;
    if (!came.length && !gone) return;
    say(["While the map was behind, ", came.length === 1 ? name(came[0].name) : count(came.length, "landmark"), ` entered the area, and ${gone} left it.`]);
  }

  /// Tells what a change adds to the area or takes from it, unless the person made it. Collects the changes of one
  /// second into one message.
  apply(change) {
    this.fences?.apply(change);
    const { op, before } = change, landmark = change.landmark ?? before;
    if (!this.#isWatching || !landmark) return;
    const was = op !== "added" && this.#contains(before ?? landmark), is = op !== "removed" && this.#contains(landmark);
    if (is) this.#inside?.add(landmark.id); else this.#inside?.delete(landmark.id);
    if (was === is || isOwn(change)) return;
    this.#told.push([name(landmark.name), ` ${phrases[was ? op === "removed" ? op : "left" : op === "added" ? op : "entered"]}. `]);
    this.#timer ||= setTimeout(() => {
      const told = this.#told;
      [this.#told, this.#timer] = [[], 0];
      say(told.length > 3 ? [...told.at(-1), `And ${count(told.length - 1, "other change")} in the area.`] : told.flat());
    }, 700);
  }

  #show() {
    find("area").setAttribute("aria-pressed", String(this.#isOn || this.#isWatching));
    this.redraw();
    if (!this.#isOn) return task("area");
    const left = 3 - this.#corners.length;
    const text = left === 3 ? "Click the corners of the area, or move the map and press Enter on it."
      : left > 0 ? `${count(left, "more corner")} at least.` : `${this.#corners.length} corners.`;
    task("area", element("span", {}, text),
      button("Watch", () => this.#finish(), { className: "chief", disabled: left > 0 }),
      button(left > 0 ? "Kept areas" : "Keep", () => this.#named(left > 0).catch((error) => say(error.message))),
      button("Cancel", () => this.clear()));
  }

  /// Lists the areas that are kept under names, or keeps this one.
  async #named(isList) {
    const text = isList ? "" : this.#text(), { Fences } = await import("./fences.js");
    this.fences ??= new Fences(this.map, this.overlay, this.state);
    if (!isList) return this.fences.keep(text);
    this.clear();
    return this.fences.open();
  }

  #draw(pen, points) {
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    if (!this.#isOn) pen.closePath();
    pen.strokeStyle = pen.fillStyle = colour("own");
    pen.lineWidth = 2.5;
    pen.setLineDash([7, 5]);
    pen.stroke();
    pen.globalAlpha = 0.12;
    pen.fill();
    pen.globalAlpha = 1;
    if (this.#isOn) for (const { x, y } of points) pen.fillRect(x - 5, y - 5, 10, 10);
  }
}
