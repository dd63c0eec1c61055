// SPDX-License-Identifier: Apache-2.0
// @ts-check

/// Projects a position to the unit square of web maps: x grows eastwards from 0 at the 180th meridian to 1, y
/// southwards from 0 to 1.
/** @param {{ lat: number, lng: number }} place */
export function square({ lat, lng }) {
  const sine = Math.sin(Math.max(-89.9, Math.min(89.9, lat)) * Math.PI / 180);
  return { x: ((lng + 180) / 360 + 1) % 1, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** @param {{ x: number, y: number }} point */
export const globe = ({ x, y }) =>
  ({ lat: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, lng: x * 360 - 180 });

/// Returns places that a line joins, with longitudes that may go on beyond 180°: the first is within half a turn of
/// `from`, and each other is the shorter way around the earth from the one before.
export const line = (places, from) => places.map(({ lat, lng }) => {
  from = lng + 360 * Math.round((from - lng) / 360);
  return { lat, lng: from };
});
