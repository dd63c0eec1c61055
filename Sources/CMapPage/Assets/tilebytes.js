// SPDX-License-Identifier: Apache-2.0
// @ts-check

import { square } from "./mercator.js";

/// The maximum size of a tile in bytes.
export const mostBytes = 65536;
const mostKinds = 127;
const mostCells = 4096;
const mostLandmarks = 2 ** 32 - 1;
const pointBytes = 25;
const perDegree = 1e7;

/// Decodes a tile, whose bytes Tiles.md of QueryService describes. Throws an error for any other bytes, because a
/// half-read tile would show landmarks where there are none.
/** @param {Uint8Array} bytes */
export function decode(bytes) {
  if (bytes.length > mostBytes) throw new RangeError("A tile is larger than a tile can be.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), cells = new Map();
  let at = 0;
  const number = (/** @type {number} */ most) => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * factor;
      if (value > most || factor > mostLandmarks) throw new RangeError("A number in a tile is too great.");
      if (byte < 128) return value;
    }
  };
  const degrees = (/** @type {number} */ offset, /** @type {number} */ most) => {
    const value = view.getInt32(at + offset, true) / perDegree;
    if (Math.abs(value) > most) throw new RangeError("A place in a tile is not on the earth.");
    return value;
  };
  if (view.getUint8(at++) !== 1) throw new Error("This page is older than the service: load it again.");
  const kinds = Array.from({ length: number(mostKinds) }, () => {
    const length = number(bytes.length - at);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at, at += length));
  });
  for (let left = number(mostCells), next = 0; left > 0; left -= 1, next += 1) {
    next += number(mostCells);
    const head = number(2 * mostLandmarks + 1), count = Math.floor(head / 2), isListed = head % 2 === 1;
    if (next >= mostCells || count < 1) throw new RangeError("A cell is not one of a tile.");
    if (isListed && count * pointBytes > bytes.length - at) throw new RangeError("A cell lists more than there is.");
    const listed = isListed ? new Map() : null;
    for (let index = 0; isListed && index < count; index += 1, at += pointBytes) {
      const id = uuid(bytes, at), about = view.getUint8(at + 16);
      if ((about & 127) > kinds.length) throw new RangeError("A kind is not one of the tile's.");
      const place = { lat: degrees(17, 90), lng: degrees(21, 180) };
      listed.set(id, { id, isSourced: about > 127, kind: kinds[(about & 127) - 1], ...place, ...square(place) });
    }
    cells.set(next, { count: listed?.size ?? count, listed });
  }
  if (at !== bytes.length) throw new RangeError("A tile goes on after its end.");
  return { kinds, cells };
}

/// The two hexadecimal digits of each byte. A tile contains thousands of ids, so the digits are made in advance.
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes @param {number} at */
function uuid(bytes, at) {
  let text = "";
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
    text += digits[bytes[at + index]];
  }
  return text;
}
