// SPDX-License-Identifier: Apache-2.0
// @ts-check

const minute = 60000, hour = 60 * minute, day = 24 * hour;

/// Returns a span of time in at most two units, such as "1 h 20 min".
/** @param {number} milliseconds */
export function span(milliseconds) {
  const whole = (/** @type {number} */ unit) => Math.floor(milliseconds / unit);
  if (milliseconds < minute) return "less than a minute";
  if (milliseconds < hour) return `${whole(minute)} min`;
  const [many, rest] = milliseconds < day ? [`${whole(hour)} h`, `${whole(minute) % 60} min`]
    : [`${whole(day)} ${whole(day) === 1 ? "day" : "days"}`, `${whole(hour) % 24} h`];
  return rest.startsWith("0 ") ? many : `${many} ${rest}`;
}

/// Returns how long ago something was.
/** @param {number} milliseconds */
export const ago = (milliseconds) => (milliseconds < minute ? "just now" : `${span(milliseconds)} ago`);
