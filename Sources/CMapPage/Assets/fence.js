// SPDX-License-Identifier: Apache-2.0
// @ts-check

import { metres } from "./words.js";

/**
 * @typedef {{ lat: number, lng: number }} Place
 * @typedef {{ lat: number | null, lng: number | null, radius: number | null, within: string | { coordinates: number[][][] } | null }} Area
 * @typedef {{ rings: Place[][], kinds: string[], users: string[], sources: string[] } & Area} Fence
 * @typedef {Place & { kind?: string | null, user?: string | null, source?: { name: string } | null }} Landmark
 */

const radians = Math.PI / 180, earth = 6371008.8;

/// Returns the corners of a fence, a list for each ring; none if it takes landmarks of every place. A circle has corners
/// for the eye.
/** @param {Area} area @returns {Place[][]} */
export function rings({ lat, lng, radius, within }) {
  if (typeof within === "string") {
    const [south, west, end, last] = within.split(",").map(Number), east = last < west ? last + 360 : last;
    return [[[south, west], [south, east], [end, east], [end, west]].map(([lat, lng]) => ({ lat, lng }))];
  }
  if (within) return within.coordinates.map((ring) => ring.slice(1).map(([lng, lat]) => ({ lat, lng })));
  if (lat === null || lng === null || radius === null) return [];
  const far = radius / earth, from = lat * radians;
  return [Array.from({ length: 48 }, (_, index) => {
    const turn = index * 7.5 * radians, sine = Math.sin(from) * Math.cos(far) + Math.cos(from) * Math.sin(far) * Math.cos(turn);
    const east = Math.atan2(Math.sin(turn) * Math.sin(far) * Math.cos(from), Math.cos(far) - Math.sin(from) * sine);
    return { lat: Math.asin(Math.max(-1, Math.min(1, sine))) / radians, lng: lng + east / radians };
  })];
}

/** @param {string[]} list @param {string | null | undefined} value */
const fits = (list, value) => !list.length || list.includes(value ?? "");

/// Returns whether a fence takes a landmark; null if only the service can tell, as near the edge of a circle, which it
/// measures on the ellipsoid.
/** @param {Fence} fence @param {Landmark} landmark @returns {boolean | null} */
export function holds(fence, landmark) {
  const { kinds, users, sources, lat, lng, radius } = fence;
  if (!fits(kinds, landmark.kind) || !fits(users, landmark.user) || !fits(sources, landmark.source?.name)) return false;
  if (lat !== null && lng !== null && radius !== null) {
    const beyond = metres({ lat, lng }, landmark) - radius;
    return Math.abs(beyond) < radius * 0.006 + 1 ? null : beyond < 0;
  }
  return !fence.rings.length || isInside(fence.rings, landmark);
}

/// Returns whether a place is within an odd number of rings; null if it lies on an edge or at a pole.
/** @param {Place[][]} rings @param {Place} place @returns {boolean | null} */
export function isInside(rings, { lat, lng }) {
  if (Math.abs(lat) === 90) return null;
  let isIn = false;
  for (const ring of rings) {
    for (const at of [lng - 360, lng, lng + 360]) {
      for (const [index, a] of ring.entries()) {
        const b = ring[(index + 1) % ring.length], isFlat = a.lat === b.lat;
        if (lat < Math.min(a.lat, b.lat) || lat > Math.max(a.lat, b.lat)) continue;
        const x = isFlat ? Math.max(Math.min(a.lng, b.lng), Math.min(Math.max(a.lng, b.lng), at))
          : a.lng + (b.lng - a.lng) * (lat - a.lat) / (b.lat - a.lat);
        if (Math.abs(x - at) < 1e-9) return null;
        if (a.lat > lat !== b.lat > lat && at < x) isIn = !isIn;
      }
    }
  }
  return isIn;
}
