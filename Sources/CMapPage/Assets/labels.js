// SPDX-License-Identifier: Apache-2.0
// @ts-check

/**
 * @typedef {{ x: number, y: number, radius: number }} Circle
 * @typedef {Circle & { width: number, height: number, isNeeded?: boolean, isCentred?: boolean }} Wish
 * A name that is to be written beside a circle. `isNeeded`: it is written even if it covers something. `isCentred`: it
 * is best in the place of the circle, as a town's name is.
 * @typedef {{ x: number, y: number }} Spot the middle of the name
 */

const side = 64, space = 4;

/// The boxes that are taken, in a grid, so that a question about a box looks only at what is near.
class Taken {
  /** @type {Map<number, number[][]>} */
  #grid = new Map();

  /** @param {number[]} box @param {(boxes: number[][]) => boolean} visit */
  #some([west, north, east, south], visit) {
    for (let x = Math.floor(west / side); x <= Math.floor(east / side); x += 1) {
      for (let y = Math.floor(north / side); y <= Math.floor(south / side); y += 1) {
        const key = (Math.imul(x, 4099) + y) | 0, boxes = this.#grid.get(key) ?? [];
        if (!boxes.length) this.#grid.set(key, boxes);
        if (visit(boxes)) return true;
      }
    }
    return false;
  }

  /** @param {number[]} box */
  add(box) { this.#some(box, (boxes) => boxes.push(box) < 0); }

  /** @param {number[]} box */
  has(box) {
    return this.#some(box, (boxes) => boxes.some((each) => each[0] < box[2] && each[2] > box[0] && each[1] < box[3] && each[3] > box[1]));
  }
}

/// Finds a place for each name, in their order: right of its circle, left, below or above; null where neither circles
/// nor other names leave room.
/** @param {Wish[]} wishes @param {Circle[]} circles @returns {(Spot | null)[]} */
export function place(wishes, circles) {
  const taken = new Taken();
  for (const { x, y, radius } of circles) taken.add([x - radius, y - radius, x + radius, y + radius]);
  return wishes.map(({ x, y, radius, width, height, isNeeded, isCentred }) => {
    const east = radius + space + width / 2, south = radius + space / 2 + height / 2;
    const spots = [{ x: x + east, y }, { x: x - east, y }, { x, y: y + south }, { x, y: y - south }];
    if (isCentred) spots.unshift({ x, y });
    const box = (/** @type {Spot} */ spot) =>
      [spot.x - width / 2 - 1, spot.y - height / 2, spot.x + width / 2 + 1, spot.y + height / 2];
    const found = spots.find((spot) => !taken.has(box(spot))) ?? (isNeeded ? spots[0] : null);
    if (found) taken.add(box(found));
    return found;
  });
}
