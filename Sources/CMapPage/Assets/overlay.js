// SPDX-License-Identifier: Apache-2.0

import { canvasLayer, colour, font } from "./layer.js";
import { line } from "./mercator.js";

/// The one canvas above the pins, for what a person draws, measures and follows. Each owner adds a function that draws.
export class Overlay {
  #shapes = [];

  constructor(map) {
    this.map = map;
    this.redraw = canvasLayer(map, "overlay", (pen) => this.#draw(pen), () => this.#shapes.every(({ isEmpty }) => isEmpty()));
  }

  /// Adds a shape. Returns the function that redraws it.
  ///
  /// - `draw`: called with the pen and `project`, which returns the pixels of places.
  /// - `isAbove`: whether it is above those of parts that come later.
  add(isEmpty, draw, isAbove = false) {
    this.#shapes[isAbove ? "push" : "unshift"]({ isEmpty, draw });
    return this.redraw;
  }

  #draw(pen) {
    const project = (places) => this.project(places);
    for (const { isEmpty, draw } of this.#shapes) {
      if (isEmpty()) continue;
      pen.save();
      pen.lineJoin = pen.lineCap = "round";
      draw(pen, project);
      pen.restore();
    }
  }

  /// Returns the pixels of places that are joined by a line. The first is in the copy of the world that is nearest to
  /// the map's centre; each other is the shorter way around the earth from the one before.
  project(places) { return line(places, this.map.getCenter().lng).map((place) => this.map.latLngToContainerPoint(place)); }
}

/// Writes a name below a place.
export function caption(pen, text, { x, y }, size) {
  [pen.font, pen.textAlign, pen.textBaseline] = [font(600, size), "center", "top"];
  [pen.lineWidth, pen.strokeStyle, pen.fillStyle] = [4, colour("ground"), colour("ink")];
  pen.strokeText(text, x, y + 6);
  pen.fillText(text, x, y + 6);
}

/// Draws a marker that points to a place.
export function marker(pen, { x, y }) {
  pen.beginPath();
  pen.arc(x, y - 20, 9, Math.PI * 0.85, Math.PI * 0.15);
  pen.lineTo(x, y);
  pen.closePath();
  [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [colour("bad"), colour("ground"), 2];
  pen.fill();
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y - 20, 3.5, 0, 2 * Math.PI);
  pen.fillStyle = colour("ground");
  pen.fill();
}
