// SPDX-License-Identifier: Apache-2.0

import { square } from "./mercator.js";
import { decode } from "./tilebytes.js";

const side = 64;

/// The contents of one map tile, in 64 × 64 cells. Tiles.md of QueryService describes the bytes.
export class Tile {
  tag = null;
  isStale = true;
  /// When it was requested last.
  asked = 0;
  /// The changes that arrived while a request was in flight; null if no request is in flight.
  missed = null;
  kinds = [];
  #bytes = new Uint8Array();
  #cells = new Map();
  #items = null;

  constructor(z, x, y) { Object.assign(this, { z, x, y, scale: 2 ** z }); }

  /// The bytes as the service sent them.
  get bytes() { return this.#bytes; }

  get isLoaded() { return this.tag !== null; }

  get count() { return this.items().reduce((sum, item) => sum + item.count, 0); }

  /// Replaces the contents by an answer. If the bytes are not a tile, throws an error and keeps the old contents.
  fill(bytes, tag) {
    this.#fill(decode(bytes));
    [this.#bytes, this.tag] = [bytes, tag];
  }

  /// Restores the contents that the service sent. They may include changes shown since, which must not count twice.
  restore() { this.#fill(decode(this.#bytes)); }

  #fill({ kinds, cells }) { [this.kinds, this.#cells, this.#items] = [kinds, cells, null]; }

  /// Shows a change at once, before the service is asked again. With `isSure`, cells with only a count change, too.
  ///
  /// - Returns: whether the change is in this tile.
  apply(before, after, isSure) {
    const [from, to] = [before && this.#number(before), after && this.#number(after)].map((cell) => cell ?? -1);
    if (from < 0 && to < 0) return false;
    this.#items = null;
    if (from >= 0) this.#drop(from, before.id, from === to || !isSure);
    if (to >= 0) this.#put(to, after, from === to || !isSure);
    return true;
  }

  #drop(number, id, keepsCount) {
    const cell = this.#cells.get(number);
    if (!cell) return;
    if (cell.listed) {
      cell.listed.delete(id);
      cell.count = cell.listed.size;
    } else if (!keepsCount) cell.count -= 1;
    if (cell.count <= 0) this.#cells.delete(number);
  }

  #put(number, landmark, keepsCount) {
    const cell = this.#cells.get(number) ?? { count: 0, listed: new Map() };
    this.#cells.set(number, cell);
    const { id, kind, lat, lng } = landmark;
    if (cell.listed) {
      cell.listed.set(id, { id, isSourced: Boolean(landmark.source), kind, lat, lng, ...square(landmark) });
      cell.count = cell.listed.size;
    } else if (!keepsCount) cell.count += 1;
  }

  /// Returns the index of the cell that contains a position; null if the position is outside this tile.
  #number(place) {
    const { x, y } = square(place), column = Math.floor(x * this.scale * side), row = Math.floor(y * this.scale * side);
    if (Math.floor(column / side) !== this.x || Math.floor(row / side) !== this.y) return null;
    let number = 0;
    for (let bit = 0; bit < 6; bit += 1) number |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << 2 * bit + 1;
    return number;
  }

  /// Returns the landmarks, and the cells with only a count, with coordinates on the unit square; `reach` is half a
  /// cell.
  items() {
    if (this.#items) return this.#items;
    const size = 1 / (side * this.scale), items = [];
    for (const [number, cell] of this.#cells) {
      if (cell.listed) {
        for (const one of cell.listed.values()) items.push({ x: one.x, y: one.y, count: 1, reach: 0, one });
        continue;
      }
      let column = 0, row = 0;
      for (let bit = 0; bit < 6; bit += 1) {
        column |= (number >> 2 * bit & 1) << bit;
        row |= (number >> 2 * bit + 1 & 1) << bit;
      }
      items.push({ x: (this.x * side + column + 0.5) * size, y: (this.y * side + row + 0.5) * size, count: cell.count,
        reach: size / 2, one: null });
    }
    this.#items = items;
    return items;
  }
}
