// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { hue, merge, radius, shade } from "../../../Sources/CMapPage/Assets/clusters.js";

/// Random numbers by a seed, so that each run is the same.
function seeded(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const cluster = (x, y, count = 1, ones = []) =>
  ({ x, y, count, radius: radius(count), ones, west: x, north: y, east: x, south: y, isGone: false, cell: 0, rank: 0 });

const cells = (number, wide, random) => Array.from({ length: number }, () =>
  cluster(16 * Math.floor(random() * wide / 16) + 8, 16 * Math.floor(random() * wide / 16) + 8, 1 + Math.floor(random() ** 4 * 300)));

/// The closest pair, less the radii of both.
function closest(found) {
  const side = 80, grid = new Map(), key = (x, y) => Math.floor(x / side) * 2 ** 26 + Math.floor(y / side);
  for (const each of found) grid.set(key(each.x, each.y), [...grid.get(key(each.x, each.y)) ?? [], each]);
  let least = Infinity;
  for (const each of found) {
    for (const x of [-side, 0, side]) for (const y of [-side, 0, side]) {
      for (const other of grid.get(key(each.x + x, each.y + y)) ?? []) {
        if (other !== each) least = Math.min(least, Math.hypot(each.x - other.x, each.y - other.y) - each.radius - other.radius);
      }
    }
  }
  return least;
}

const said = (found) => found.map(({ x, y, count }) => `${x.toFixed(3)} ${y.toFixed(3)} ${count}`).sort();

test("a million cells are merged in bounded time, without overlap, and all are counted", () => {
  const all = cells(1_000_000, 16_384, seeded(1)), total = all.reduce((sum, each) => sum + each.count, 0), begun = performance.now();
  const found = merge(all), taken = performance.now() - begun;
  assert.equal(found.reduce((sum, each) => sum + each.count, 0), total);
  assert.ok(closest(found) >= 2, `${closest(found)}`);
  assert.ok(found.length > 10_000 && found.length < 250_000, `${found.length}`);
  assert.ok(taken < 60_000, `${taken} ms`);
});

test("the cells of a screen are merged in the time of a frame", () => {
  const lay = () => cells(15_000, 2_048, seeded(2));
  for (let warm = 0; warm < 5; warm += 1) merge(lay());
  const times = Array.from({ length: 9 }, () => {
    const all = lay(), begun = performance.now();
    merge(all);
    return performance.now() - begun;
  }).sort((a, b) => a - b);
  assert.ok(times[4] < 250, `${times}`);
});

test("what does not overlap stays as it is, and what does is in the middle by count", () => {
  assert.equal(merge([cluster(0, 0), cluster(23, 0), cluster(0, 23)]).length, 3);
  const [one, ...others] = merge([cluster(0, 0), cluster(20, 0, 3)]);
  assert.equal(others.length, 0);
  assert.deepEqual([one.x, one.y, one.count, one.west, one.east], [15, 0, 4, 0, 20]);
});

test("the order of the cells does not matter", () => {
  const random = seeded(3), all = cells(6_000, 2_048, random), shuffled = all.map((each) => ({ each: { ...each, ones: [] }, at: random() }))
    .sort((a, b) => a.at - b.at).map(({ each }) => each);
  assert.deepEqual(said(merge(all)), said(merge(shuffled)));
});

test("circles stay where they are when more of the world comes into view", () => {
  const random = seeded(4), west = cells(3_000, 1_024, random), east = cells(3_000, 1_024, random).map((each) => cluster(each.x + 1_024, each.y, each.count));
  const copy = (list) => list.map((each) => ({ ...each, ones: [] })), far = 128;
  const alone = said(merge(copy(west)).filter(({ x }) => x < 1_024 - far));
  const both = said(merge([...copy(west), ...copy(east)]).filter(({ x }) => x < 1_024 - far));
  const kept = alone.filter((each) => both.includes(each)).length;
  assert.ok(kept >= 0.99 * alone.length, `${kept} of ${alone.length}`);
});

test("circles stay where they are while landmarks come and go", () => {
  const random = seeded(6), before = cells(4_000, 1_024, random), place = ({ x, y }) => `${Math.round(x)} ${Math.round(y)}`;
  // A second of a busy stream: every fortieth cell has one more or less.
  const after = before.map((each) => cluster(each.x, each.y, random() < 0.025 ? Math.max(1, each.count + (random() < 0.5 ? 1 : -1)) : each.count));
  const first = merge(before).map(place), second = new Set(merge(after).map(place));
  const kept = first.filter((each) => second.has(each)).length;
  assert.ok(kept >= 0.9 * first.length, `${kept} of ${first.length}`);
});

test("circles are no lattice", () => {
  // In a lattice the remainders of the places are equal; here they are spread evenly.
  const found = merge(cells(6_000, 2_048, seeded(5))), quarters = [0, 0, 0, 0];
  for (const { x } of found) quarters[Math.floor(x % 64 / 16)] += 1;
  assert.ok(Math.min(...quarters) > 0.18 * found.length, `${quarters}`);
});

test("size and shade grow with the logarithm of the count", () => {
  assert.deepEqual([1, 10, 1_000, 1_000_000, 5_000_000].map((count) => Math.round(10 * radius(count)) / 10), [10, 15.7, 23, 34, 34]);
  assert.deepEqual([1, 10, 1_000_000].map(shade), [0, 0, 1]);
});

test("the colour is that of what is known, else the neutral one", () => {
  const one = (isSourced) => ({ id: "", isSourced });
  assert.equal(hue(cluster(0, 0, 2, [one(true), one(true)])), "accent");
  assert.equal(hue(cluster(0, 0, 2, [one(false), one(false)])), "own");
  assert.equal(hue(cluster(0, 0, 8, [...Array(7).fill(one(false)), one(true)])), "mixed");
  assert.equal(hue(cluster(0, 0, 150)), "mixed");
  assert.equal(hue(cluster(0, 0, 3, [one(true), one(true)])), "mixed");
});

/// The same in the plainest way, without a grid.
function plain(clusters, world) {
  const rank = ({ count, x, y }) => {
    let mixed = Math.imul(Math.round(x), 0x9e3779b1) ^ Math.imul(Math.round(y), 0x85ebca6b);
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x2c1b3c6d);
    return Math.clz32(count) * 2 ** 26 + ((mixed ^ mixed >>> 13) >>> 6);
  };
  const left = clusters.map((each) => ({ ...each, rank: rank(each) }));
  left.sort((a, b) => a.rank - b.rank || a.y - b.y || a.x - b.x || a.count - b.count);
  const turns = (each, other) => (world ? Math.round((each.x - other.x) / world) : 0);
  for (const each of left) {
    for (let near = [each]; !each.isGone && near.length;) {
      near = left.filter((other) => !other.isGone && other !== each
        && Math.hypot(other.x + turns(each, other) * world - each.x, other.y - each.y) < radius(each.count) + radius(other.count) + 2);
      for (const other of near) {
        const turn = turns(each, other), count = each.count + other.count;
        Object.assign(each, { x: each.x + (other.x + turn * world - each.x) * other.count / count, y: each.y + (other.y - each.y) * other.count / count, count,
          ones: [...each.ones, ...other.ones], west: Math.min(each.west, other.west + turn), east: Math.max(each.east, other.east + turn),
          north: Math.min(each.north, other.north), south: Math.max(each.south, other.south) });
        other.isGone = true;
      }
    }
  }
  return left.filter(({ isGone }) => !isGone).map((each) => {
    const turn = world ? Math.floor(each.x / world) : 0;
    return { ...each, x: each.x - turn * world, west: each.west - turn, east: each.east - turn };
  });
}

const whole = (found) => found.map(({ x, y, count, west, north, east, south, ones }) =>
  `${[x, y, west, north, east, south].map((each) => each.toFixed(5))} ${count} ${ones.map(({ id }) => id).sort()}`).sort();

for (const isRound of [false, true]) {
  test(`circles ${isRound ? "all around the world" : "of a part of the world"} are those of the plain computation`, () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = seeded(seed), world = 512 * 2 ** Math.floor(random() * 3);
      const many = Array.from({ length: 20 + Math.floor(random() * 400) }, (_, id) => {
        const isOne = random() < 0.5, [x, y] = [0, 1].map(() => (isOne ? random() : (Math.floor(random() * 64) + 0.5) / 64));
        const made = cluster(x * world, y * world, isOne ? 1 : 1 + Math.floor(random() ** 4 * 5000), isOne ? [{ id }] : []), reach = isOne ? 0 : 1 / 128;
        return { ...made, west: x - reach, east: x + reach, north: y - reach, south: y + reach };
      });
      const copy = many.map((each) => ({ ...each, ones: [...each.ones] }));
      assert.deepEqual(whole(merge(copy, isRound ? world : 0)), whole(plain(many, isRound ? world : 0)), `${seed}`);
    }
  });
}

test("what lies on both sides of the 180th meridian is one circle, once", () => {
  const at = (x, count) => ({ ...cluster(x * 1024, 512, count), west: x, east: x });
  const found = merge([at(0.998, 1), at(0.004, 3)], 1024);
  assert.deepEqual(found.map(({ x, count }) => [Math.round(x * 10) / 10, count]), [[2.6, 4]]);
  assert.ok(Math.abs(found[0].west + 0.002) < 1e-9 && Math.abs(found[0].east - 0.004) < 1e-9);
});
