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
///
/// - `world`: how many pixels the world is wide, if these are all that is around it: its east edge meets its west edge.
/** @param {Cluster[]} clusters changed by this function @param {number} world @returns {Cluster[]} */
export function merge(clusters, world = 0) {
  const columns = Math.floor(world / side), wide = world / columns || side;
  /// The key of a square of the grid. It is a small integer, which is fast. Squares far apart may share one, which costs
  /// only a comparison of their circles.
  /** @param {number} x @param {number} y */
  const cell = (x, y) => (Math.imul(columns ? (x % columns + columns) % columns : x, 4099) + y) | 0;
  /// How many worlds another circle is to be moved to the east, to be the one next to this.
  /** @param {Cluster} each @param {Cluster} other */
  const turn = (each, other) => (world ? Math.round((each.x - other.x) / world) : 0);
  for (const each of clusters) each.rank = rank(each);
  const order = [...clusters].sort((a, b) => a.rank - b.rank || a.y - b.y || a.x - b.x || a.count - b.count);
  /** @type {Map<number, Cluster[]>} */
  const grid = new Map();
  /** @param {Cluster} each */
  const put = (each) => {
    each.cell = cell(Math.floor(each.x / wide), Math.floor(each.y / side));
    const present = grid.get(each.cell);
    if (present) present.push(each); else grid.set(each.cell, [each]);
  };
  /** @param {Cluster} each */
  const take = (each) => {
    const present = grid.get(each.cell) ?? [];
    present[present.indexOf(each)] = present[present.length - 1];
    present.pop();
  };
  /** @param {Cluster} each */
  const overlapping = (each) => {
    const found = [], column = Math.floor(each.x / wide), row = Math.floor(each.y / side);
    for (let x = column - 1; x <= column + 1; x += 1) {
      for (let y = row - 1; y <= row + 1; y += 1) {
        for (const other of grid.get(cell(x, y)) ?? []) {
          const far = each.radius + other.radius + gap, south = other.y - each.y;
          const east = other.x + turn(each, other) * world - each.x;
          if (other !== each && east * east + south * south < far * far) found.push(other);
        }
      }
    }
    return found;
  };
  for (const each of order) put(each);
  for (const each of order) {
    if (each.isGone) continue;
    for (let near = overlapping(each); near.length; near = overlapping(each)) {
      take(each);
      for (const other of near) {
        take(other);
        shift(other, turn(each, other), world);
        absorb(each, other);
      }
      each.radius = radius(each.count);
      put(each);
    }
  }
  const left = order.filter((each) => !each.isGone);
  if (world) for (const each of left) shift(each, -Math.floor(each.x / world), world);
  return left;
}

/// Moves a circle so many worlds to the east.
/** @param {Cluster} each @param {number} turn @param {number} world */
export function shift(each, turn, world) {
  each.x += turn * world;
  each.west += turn;
  each.east += turn;
  return each;
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
