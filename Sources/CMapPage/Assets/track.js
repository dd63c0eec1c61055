// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { colour } from "./layer.js";
import { line } from "./mercator.js";
import { say } from "./notice.js";
import * as words from "./words.js";

const page = 10000, most = 50000;

/// The line of a landmark's past positions. It grows with each move.
export class Track {
  id = null;
  #points = [];
  #isAsking = false;
  #isDue = false;

  constructor(map, overlay) {
    this.map = map;
    this.redraw = overlay.add(() => !this.#points.length, (pen, project) => this.#draw(pen, project(this.#points)));
  }

  /// Returns whether the landmark was ever moved; false if that is not known.
  async isKnown(id) {
    if (this.id === id) return true;
    return api.track(id, { limit: 1 }).then(({ track }) => track.length > 0, () => false);
  }

  async show(id) {
    this.hide();
    this.id = id;
    await this.#ask();
    if (this.id !== id || !this.#points.length) return;
    const [first, last] = [this.#points[0], this.#points.at(-1)], bounds = L.latLngBounds(line(this.#points, this.map.getCenter().lng));
    if (!this.map.getBounds().contains(bounds)) this.map.fitBounds(bounds, { padding: [60, 60], maxZoom: 16, animate: false });
    const count = words.count(this.#points.length, "point");
    say(this.#points.length < most ? `${count}, from ${words.time(first.at)} to ${words.time(last.at)}.`
      : `The first ${count} are drawn, to ${words.time(last.at)}.`);
  }

  hide() {
    this.id = null;
    this.#points = [];
    this.redraw();
  }

  /// Requests new points after a change that may be a move, but only a few times a second.
  grow() {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (this.#isAsking) return this.grow();
      this.#ask();
    }, 200);
  }

  async #ask() {
    const { id } = this;
    this.#isAsking = true;
    try {
      for (let next = Date.parse(this.#points.at(-1)?.at ?? 0), isFirst = true; id && (isFirst || next) && this.#points.length < most; isFirst = false) {
        const found = await api.track(id, { after: next, limit: page });
        if (this.id !== id) break;
        this.#points.push(...found.track);
        next = found.next;
      }
    } catch (error) {
      say(error.message);
    }
    this.#isAsking = false;
    this.redraw();
  }

  #draw(pen, points) {
    const end = points.at(-1);
    let last = null;
    pen.beginPath();
    for (const point of points) {
      if (last && Math.abs(point.x - last.x) + Math.abs(point.y - last.y) < 1.5) continue;
      pen.lineTo(point.x, point.y);
      last = point;
    }
    for (const [name, width] of [["ground", 7], ["own", 3.5]]) {
      [pen.strokeStyle, pen.lineWidth] = [colour(name), width];
      pen.stroke();
    }
    // The landmark's own pin, which lies below the line, stays visible at its end.
    pen.globalCompositeOperation = "destination-out";
    pen.beginPath();
    pen.arc(end.x, end.y, 15, 0, 2 * Math.PI);
    pen.fill();
  }
}
