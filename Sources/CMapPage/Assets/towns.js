// SPDX-License-Identifier: Apache-2.0

import { element } from "./dom.js";
import { square } from "./mercator.js";

const mostKept = 120, mostZoom = 16, mostNames = 40;

/// The names of towns for the map, by tiles, the largest towns first. They are only an addition to the map, so a tile
/// that does not come is asked for again later without a word.
export class Towns {
  #kept = new Map();
  #attribution = "";

  constructor(map, changed) {
    Object.assign(this, { map, changed });
    // The tiles that a stranger asked for were refused.
    addEventListener("session", () => this.#kept.clear());
  }

  /// Returns the towns of the tiles in view, with `x` and `y` on the unit square and in the right copy of the world.
  shown(zoom, tiles) {
    const level = Math.max(0, Math.round(zoom) - 2);
    if (level > mostZoom) return [];
    return tiles.flatMap(({ x, y, turn }) => this.#tile(`${level}/${x}/${y}`).map((town) => ({ ...town, x: town.x + turn })))
      .sort((a, b) => b.size - a.size);
  }

  #tile(name) {
    const known = this.#kept.get(name) ?? [];
    this.#kept.delete(name);
    this.#kept.set(name, known);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value);
    if (known.isAsked) return known;
    known.isAsked = true;
    this.#ask(name, known);
    return known;
  }

  async #ask(name, known) {
    try {
      const answer = await fetch(`/v1/towns/${name}`);
      // A service without a gazetteer has no such names.
      if (answer.status === 404) return;
      if (!answer.ok) throw new Error(name);
      const { towns, attribution } = await answer.json();
      known.push(...read(towns));
      if (!known.length) return;
      if (attribution && attribution !== this.#attribution) {
        this.#attribution = attribution;
        this.map.attributionControl.addAttribution(element("span", {}, attribution).innerHTML);
      }
      this.changed();
    } catch {
      setTimeout(() => this.#kept.delete(name), 20000);
    }
  }
}

/// Returns what is right of an answer, because it is drawn without a further check. `size` is the power of ten of the
/// people.
export const read = (towns) => (Array.isArray(towns) ? towns : []).slice(0, mostNames)
  .filter((each) => typeof each?.name === "string" && Math.abs(each.lat) <= 90 && Math.abs(each.lng) <= 180)
  .map(({ name, lat, lng, size }) => ({ name: name.slice(0, 60), size: Number(size) || 0, ...square({ lat, lng }) }));
