// SPDX-License-Identifier: Apache-2.0

const earth = 6371008.8;
const radians = Math.PI / 180;
const winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// Returns the distance in metres on a sphere, for order and display during moves. The service measures on the
/// ellipsoid.
export function metres(a, b) {
  const north = Math.sin((b.lat - a.lat) * radians / 2), east = Math.sin((b.lng - a.lng) * radians / 2);
  const square = north * north + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * east * east;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(square)));
}

export function bearing(a, b) {
  const turn = (b.lng - a.lng) * radians, from = a.lat * radians, to = b.lat * radians;
  const angle = Math.atan2(
    Math.sin(turn) * Math.cos(to), Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn));
  return (angle / radians + 360) % 360;
}

export const wind = (degrees) => winds[Math.round(degrees / 45) % 8];

export function distance(metres) {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return metres < 10000 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres / 1000).toLocaleString("en")} km`;
}

export const place = (at) => `${at.lat.toFixed(5)}, ${at.lng.toFixed(5)}`;
export const kind = (word) => (word ?? "").replaceAll("_", " ");

/// Returns a text such as "open until 17:00" in the local time of the place; empty if it has no opening hours.
export function opening(said) {
  if (!said) return "";
  const [day, time] = (said.until_local ?? "").split("T");
  const days = (Date.parse(said.until) - Date.now()) / 86400000;
  const weekday = () => new Date(`${day}T00:00Z`).toLocaleDateString("en", { weekday: "short", timeZone: "UTC" });
  const at = days < 1 ? time : `${days < 6 ? weekday() : day} ${time}`;
  const until = said.state === "unknown" || !time ? "" : ` until ${at}`;
  return (said.state === "unknown" ? "hours unknown" : said.state + until) + (said.comment ? ` (${said.comment})` : "");
}

export const rating = ({ rating, ratings }) => rating == null ? ""
  : ratings == null ? rating.toString() : `${rating} (${count(ratings, "rating")})`;
export const time = (text) => new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
