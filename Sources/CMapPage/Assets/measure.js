// SPDX-License-Identifier: Apache-2.0

import { button, element, find } from "./dom.js";
import { colour, font } from "./layer.js";
import { on } from "./state.js";
import { task } from "./task.js";
import { bearing, distance, metres, wind } from "./words.js";

/// Measures the distance between two points, which are set by clicks, or at the map's centre by Enter on the map. The
/// result is written beside the line as long as the mode is on.
export class Measure {
  points = [];

  constructor(map, overlay, state) {
    this.state = state;
    this.redraw = overlay.add(() => !this.points.length, (pen, project) => this.#draw(pen, project));
    find("map").addEventListener("keydown", ({ key }) => { if (key === "Escape" && state.mode === "measure") state.set({ mode: null }); });
    on(state, ["mode"], () => this.#turn());
    // The units may be others.
    state.addEventListener("settings", () => this.#show());
    if (state.mode === "measure") this.#turn();
  }

  /// Sets a point. After two points, the next one begins a new measurement.
  mark({ lat, lng }) {
    if (this.points.length === 2) this.points = [];
    this.points.push({ lat, lng });
    this.#show();
  }

  get #text() {
    const [a, b] = this.points;
    return b ? `${distance(metres(a, b))} ${wind(bearing(a, b))}` : "";
  }

  #turn() {
    const isOn = this.state.mode === "measure";
    find("measure").setAttribute("aria-pressed", String(isOn));
    if (!isOn && !this.points.length) return task("measure");
    this.points = [];
    this.#show();
  }

  #show() {
    this.redraw();
    if (this.state.mode !== "measure") return task("measure");
    const text = this.#text || (this.points.length ? "Click the second point." : "Click two points, or move the map and press Enter on it twice.");
    task("measure", element("span", {}, text), button("Done", () => this.state.set({ mode: null })));
  }

  #draw(pen, project) {
    const points = project(this.points);
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    for (const [name, width] of [["ground", 6], ["own", 3]]) {
      [pen.strokeStyle, pen.lineWidth] = [colour(name), width];
      pen.stroke();
    }
    for (const { x, y } of points) {
      pen.beginPath();
      pen.arc(x, y, 5, 0, 2 * Math.PI);
      [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [colour("ground"), colour("own"), 3];
      pen.fill();
      pen.stroke();
    }
    if (points.length < 2) return;
    const [a, b] = points, text = this.#text;
    [pen.font, pen.textAlign, pen.textBaseline] = [font(600, 15), "center", "middle"];
    const half = pen.measureText(text).width / 2 + 9, [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    pen.fillStyle = colour("own");
    pen.beginPath();
    pen.roundRect(x - half, y - 14, 2 * half, 28, 8);
    pen.fill();
    pen.fillStyle = colour("on-accent");
    pen.fillText(text, x, y + 0.5);
  }
}
