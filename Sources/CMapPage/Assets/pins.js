// SPDX-License-Identifier: Apache-2.0

import { radius, shade } from "./clusters.js";
import { glyph, letter } from "./glyphs.js";
import { colour, font, mix } from "./layer.js";

/// Shortens a count. The browser's formatter is too slow, because some hundred counts are drawn ten times a second.
const short = (count) => count >= 1e6 ? `${(count / 1e6).toFixed(1)}M` : count >= 1e4 ? `${Math.round(count / 1e3)}k`
  : count >= 1e3 ? `${Math.floor(count / 1e3)},${String(count % 1e3).padStart(3, "0")}` : String(count);

/// Writes a name with a halo.
export function write(pen, { x, y, text, weight, size }, fill, ground) {
  pen.font = font(weight, size);
  [pen.lineWidth, pen.lineJoin, pen.strokeStyle, pen.fillStyle] = [3.5, "round", ground, fill];
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/// Pictures by what they show, and the most that are kept.
const pictures = new Map(), most = 300;

/// Draws a pin with the picture of its kind, or a circle of many landmarks. It is painted once and then copied, because
/// paths take many times as long. The copy lies on whole pixels of the screen, so it stays sharp.
///
/// - `sharp`: the pixels of the screen in one of the page.
/// - `whole`: moves a coordinate to one of these pixels.
export function mark(pen, group, ground, ink, sharp, whole) {
  // Eight sizes for each power of ten.
  const step = Math.round(8 * Math.log10(group.count)), count = 10 ** (step / 8);
  const { hue, isSelected, ones: [one] } = group, kind = step ? null : one?.kind, wide = isSelected ? group.radius : radius(count);
  const key = [ground, sharp, hue, step, isSelected, kind].join();
  if (!pictures.has(key)) {
    if (pictures.size > most) pictures.clear();
    const made = document.createElement("canvas"), fresh = made.getContext("2d");
    made.width = made.height = Math.ceil(2.6 * wide + 6) * sharp;
    fresh.setTransform(sharp, 0, 0, sharp, made.width / 2, made.height / 2);
    fresh.beginPath();
    // People's landmarks also have a different shape, because not everybody can distinguish the colours.
    if (hue === "own" && !step) for (const [x, y] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) fresh.lineTo(1.3 * wide * x, 1.3 * wide * y);
    else fresh.arc(0, 0, wide, 0, 2 * Math.PI);
    fresh.closePath();
    fresh.fillStyle = mix(colour(hue), ink, 0.5 * shade(count));
    [fresh.lineWidth, fresh.lineJoin, fresh.strokeStyle] = [isSelected ? 3 : step ? 1.5 : 2, "round", isSelected ? ink : ground];
    fresh.fill();
    fresh.stroke();
    const path = glyph(kind), side = wide * 1.3;
    fresh.fillStyle = colour("on-accent");
    if (path) {
      fresh.translate(-side / 2, -side / 2);
      fresh.scale(side / 24, side / 24);
      fresh.fill(new Path2D(path), "evenodd");
    } else if (kind) {
      [fresh.font, fresh.textAlign, fresh.textBaseline] = [font(600, 12), "center", "middle"];
      fresh.fillText(letter(kind), 0, 0.5);
    }
    pictures.set(key, made);
  }
  const made = pictures.get(key), side = made.width / sharp;
  pen.drawImage(made, whole(group.x - side / 2), whole(group.y - side / 2), side, side);
  if (!step) return;
  pen.font = font(600, Math.round(10 + wide / 7));
  pen.fillText(short(group.count), whole(group.x), whole(group.y));
}
