// SPDX-License-Identifier: Apache-2.0

import { shade } from "./clusters.js";
import { glyph, letter } from "./glyphs.js";
import { colour, font, mix } from "./layer.js";

/// Shortens a count. The browser's formatter is too slow, because some hundred counts are drawn ten times a second.
const short = (count) => count >= 1e6 ? `${(count / 1e6).toFixed(1)}M` : count >= 1e4 ? `${Math.round(count / 1e3)}k`
  : count >= 1e3 ? `${Math.floor(count / 1e3)},${String(count % 1e3).padStart(3, "0")}` : String(count);

const paths = new Map();
/// Returns the drawable shape of a kind's picture.
function shape(path) {
  if (!paths.has(path)) paths.set(path, new Path2D(path));
  return paths.get(path);
}

/// Writes a name with a halo.
export function write(pen, { x, y, text, weight, size }, fill, ground) {
  pen.font = font(weight, size);
  [pen.lineWidth, pen.lineJoin, pen.strokeStyle, pen.fillStyle] = [3.5, "round", ground, fill];
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/// Draws a circle with its count.
export function cluster(pen, group, ground, ink) {
  pen.beginPath();
  pen.arc(group.x, group.y, group.radius, 0, 2 * Math.PI);
  pen.fillStyle = mix(colour(group.hue), ink, 0.5 * shade(group.count));
  pen.fill();
  [pen.lineWidth, pen.strokeStyle] = [1.5, ground];
  pen.stroke();
  pen.font = font(600, Math.round(10 + group.radius / 7));
  pen.fillStyle = colour("on-accent");
  pen.fillText(short(group.count), group.x, group.y);
}

/// Draws the pin of one landmark, with the picture of its kind.
export function pin(pen, { x, y, radius, ones: [one], isSelected, hue }, ground, ink) {
  pen.beginPath();
  // People's landmarks also have a different shape, because not everybody can distinguish the colours.
  if (hue === "own") {
    const far = radius * 1.3;
    pen.moveTo(x, y - far);
    for (const [east, south] of [[far, 0], [0, far], [-far, 0]]) pen.lineTo(x + east, y + south);
    pen.closePath();
  } else pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour(hue);
  [pen.lineWidth, pen.lineJoin, pen.strokeStyle] = [isSelected ? 3 : 2, "round", isSelected ? ink : ground];
  pen.fill();
  pen.stroke();
  if (!one?.kind) return;
  const path = glyph(one.kind), side = radius * 1.3;
  pen.fillStyle = colour("on-accent");
  if (path) {
    pen.save();
    pen.translate(x - side / 2, y - side / 2);
    pen.scale(side / 24, side / 24);
    pen.fill(shape(path), "evenodd");
    pen.restore();
  } else {
    pen.font = font(600, 12);
    pen.fillText(letter(one.kind), x, y + 0.5);
  }
}
