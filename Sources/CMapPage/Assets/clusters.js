// SPDX-License-Identifier: Apache-2.0
// @ts-check

/**
 * @typedef {{ id: string, isSourced: boolean, kind?: string | null }} One
 * @typedef {{ x: number, y: number, count: number, radius: number, ones: One[], west: number, north: number,
 *   east: number, south: number, isGone: boolean, cell: number, rank: number }} Cluster
 * `x` and `y`: in pixels of the world at one zoom level. `ones`: the landmarks that are known one by one, which may be
 * fewer than `count`. `west` to `south`: the bounds on the unit square; `west` and `east` may be outside of 0 to 1.
 * `isGone`, `cell` and `rank` are of merging; they are there from the beginning because that is faster.
 */

export const pinRadius = 10;
const least = 12, most = 34, gap = 2, side = 2 * most + gap;

/// The radius of a circle in pixels: the logarithm of the count decides, up to a million.
/** @param {number} count */
export const radius = (count) => (count === 1 ? pinRadius : least + (most - least) * Math.min(1, Math.log10(count) / 6));

/// How much the colour of a circle is shaded, from 0 for up to ten landmarks to 1 for a million.
/** @param {number} count */
export const shade = (count) => Math.max(0, Math.min(1, (Math.log10(count) - 1) / 5));

/// The owners of these landmarks: "accent" for sources, "own" for people, "mixed" for both and for what is not known.
/** @param {Cluster} cluster */
export function hue({ count, ones }) {
  const sourced = ones.reduce((sum, one) => sum + Number(one.isSourced), 0);
  return ones.length < count || sourced % count ? "mixed" : sourced ? "accent" : "own";
}

/// The key of a square of the grid. It is a small integer, which is fast. Squares far apart may share one, which costs
/// only a comparison of their circles.
/** @param {number} x @param {number} y */
const cell = (x, y) => (Math.imul(Math.floor(x / side), 4099) + Math.floor(y / side)) | 0;

/// The place in the order of merging: the power of two of the count, then the position by chance. So a landmark more or
/// less rarely changes the order, and the order makes no rows.
/** @param {Cluster} each */
function rank({ count, x, y }) {
  let mixed = Math.imul(Math.round(x), 0x9e3779b1) ^ Math.imul(Math.round(y), 0x85ebca6b);
  mixed = Math.imul(mixed ^ mixed >>> 15, 0x2c1b3c6d);
  return Math.clz32(count) * 2 ** 26 + ((mixed ^ mixed >>> 13) >>> 6);
}

/// Merges what overlaps, until no two circles do. The largest begin, wherever they lie in the array, so what is far
/// away has no influence: the circles stay where they are while the map moves.
/** @param {Cluster[]} clusters changed by this function @returns {Cluster[]} */
export function merge(clusters) {
  for (const each of clusters) each.rank = rank(each);
  const order = [...clusters].sort((a, b) => a.rank - b.rank || a.y - b.y || a.x - b.x || a.count - b.count);
  /** @type {Map<number, Cluster[]>} */
  const grid = new Map();
  /** @param {Cluster} each */
  const put = (each) => {
    each.cell = cell(each.x, each.y);
    const present = grid.get(each.cell);
    if (present) present.push(each); else grid.set(each.cell, [each]);
  };
  /** @param {Cluster} each */
  const take = (each) => {
    const present = grid.get(each.cell) ?? [];
    present[present.indexOf(each)] = present[present.length - 1];
    present.pop();
  };
  for (const each of order) put(each);
  for (const each of order) {
    if (each.isGone) continue;
    for (let near = overlapping(each, grid); near.length; near = overlapping(each, grid)) {
      take(each);
      for (const other of near) {
        take(other);
        absorb(each, other);
      }
      each.radius = radius(each.count);
      put(each);
    }
  }
  return order.filter((each) => !each.isGone);
}

/** @param {Cluster} each @param {Map<number, Cluster[]>} grid */
function overlapping(each, grid) {
  const found = [];
  for (const x of [each.x - side, each.x, each.x + side]) {
    for (const y of [each.y - side, each.y, each.y + side]) {
      for (const other of grid.get(cell(x, y)) ?? []) {
        const far = each.radius + other.radius + gap, east = other.x - each.x, south = other.y - each.y;
        if (other !== each && east * east + south * south < far * far) found.push(other);
      }
    }
  }
  return found;
}

/** @param {Cluster} into @param {Cluster} other */
function absorb(into, other) {
  const count = into.count + other.count;
  into.x += (other.x - into.x) * other.count / count;
  into.y += (other.y - into.y) * other.count / count;
  into.count = count;
  for (const one of other.ones) into.ones.push(one);
  into.west = Math.min(into.west, other.west);
  into.north = Math.min(into.north, other.north);
  into.east = Math.max(into.east, other.east);
  into.south = Math.max(into.south, other.south);
  other.isGone = true;
}
