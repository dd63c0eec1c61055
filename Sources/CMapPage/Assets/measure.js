// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";
import { canvasLayer, colour } from "./layer.js";
import { say } from "./notice.js";
import { bearing, distance, metres, wind } from "./words.js";

/// Measures the distance between two points, which are set by clicks, or at the map's centre by Enter on the map.
export class Measure {
  points = [];
  isOn = false;

  constructor(map) {
    this.map = map;
    this.redraw = canvasLayer(map, (pen) => this.#draw(pen));
    find("measure").addEventListener("click", () => this.#turn(!this.isOn));
    find("map").addEventListener("keydown", (event) => {
      if (this.isOn && event.key === "Enter") this.mark(map.getCenter());
      if (event.key === "Escape") this.#turn(false);
    });
  }

  mark(at) {
    if (this.points.length === 2) this.points = [];
    this.points.push(at);
    if (this.points.length === 2) {
      const [a, b] = this.points;
      say(`${distance(metres(a, b))} to the ${wind(bearing(a, b))}.`);
    }
    this.redraw();
  }

  #turn(on) {
    if (on) say("Click two points, or move the map and press Enter on it twice.");
    this.isOn = on;
    this.points = [];
    find("measure").setAttribute("aria-pressed", String(on));
    this.redraw();
  }

  #draw(pen) {
    pen.beginPath();
    for (const point of this.points) {
      const { x, y } = this.map.latLngToContainerPoint(point);
      pen.lineTo(x, y);
      pen.arc(x, y, 4, 0, 2 * Math.PI);
    }
    pen.strokeStyle = colour("own");
    pen.lineWidth = 3;
    pen.stroke();
  }
}
