// SPDX-License-Identifier: Apache-2.0
// @ts-check

/** @typedef {{ lat: number, lng: number }} Place */

const earth = 6371008.8;
const radians = Math.PI / 180;
const winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The units of distances, as the person has chosen.
export const units = { isMiles: false };

/// Returns the distance in metres on a sphere, for order and display during moves. The service measures on the
/// ellipsoid.
/** @param {Place} a @param {Place} b */
export function metres(a, b) {
  const north = Math.sin((b.lat - a.lat) * radians / 2), east = Math.sin((b.lng - a.lng) * radians / 2);
  const square = north * north + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * east * east;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** @param {Place} a @param {Place} b */
export function bearing(a, b) {
  const turn = (b.lng - a.lng) * radians, from = a.lat * radians, to = b.lat * radians;
  const angle = Math.atan2(
    Math.sin(turn) * Math.cos(to), Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn));
  return (angle / radians + 360) % 360;
}

/** @param {number} degrees */
export const wind = (degrees) => winds[Math.round(degrees / 45) % 8];

/** @param {number} metres */
export function distance(metres) {
  const [great, most, small, name, least] = units.isMiles ? [1609.344, 160.9344, 0.3048, "mi", "ft"] : [1000, 1000, 1, "km", "m"];
  if (metres < most) return `${Math.round(metres / small)} ${least}`;
  const far = metres / great;
  return `${far < 10 ? far.toFixed(1) : Math.round(far).toLocaleString("en")} ${name}`;
}

/// Returns how far and in which direction a place is.
/** @param {Place} from @param {Place} to */
export function away(from, to) {
  const far = metres(from, to);
  return far < 1 ? "here" : `${distance(far)} ${wind(bearing(from, to))}`;
}

/** @param {Place} at */
export const place = (at) => `${at.lat.toFixed(5)}, ${at.lng.toFixed(5)}`;

/** @param {string | null | undefined} word */
export const kind = (word) => (word ?? "").replaceAll("_", " ");

/// Returns a text such as "open until 17:00" in the local time of the place; empty if it has no opening hours.
/** @param {{ state: string, until?: string, until_local?: string, comment?: string } | null | undefined} said */
export function opening(said) {
  if (!said) return "";
  const [day, time] = (said.until_local ?? "").split("T");
  const days = (Date.parse(said.until ?? "") - Date.now()) / 86400000;
  const weekday = () => new Date(`${day}T00:00Z`).toLocaleDateString("en", { weekday: "short", timeZone: "UTC" });
  const at = days < 1 ? time : `${days < 6 ? weekday() : day} ${time}`;
  const until = said.state === "unknown" || !time ? "" : ` until ${at}`;
  return (said.state === "unknown" ? "hours unknown" : said.state + until) + (said.comment ? ` (${said.comment})` : "");
}

/** @param {{ rating?: number | null, ratings?: number | null }} landmark */
export const rating = ({ rating, ratings }) => rating == null ? ""
  : ratings == null ? rating.toString() : `${rating} (${count(ratings, "rating")})`;
/** @param {string} text */
export const time = (text) => new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
/** @param {number} number @param {string} one */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
