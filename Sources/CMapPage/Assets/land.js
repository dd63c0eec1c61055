// SPDX-License-Identifier: Apache-2.0

const sets = [{ name: "110m", from: 0 }, { name: "50m", from: 4, part: 30 }, { name: "10m", from: 6, part: 10 }];
/// Regions where a different source is more precise: the World Vector Shoreline has Sydney's harbour.
const patches = [{ name: "sydney", box: { south: -35, west: 151, north: -33, east: 152 } }];

/// Decodes the rings of one set, each with alternating longitudes and latitudes and with its bounds. MapPage's article
/// describes the bytes.
export function decode(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0, factor = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128 || byte === undefined) return value;
      factor *= 128;
    }
  };
  const signed = () => {
    const value = varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  if (bytes[at++] !== 1) return [];
  const scale = varint(), rings = [];
  for (let cell = varint(); cell > 0; cell = varint()) {
    while (cell-- > 0) {
      const points = new Float64Array(2 * varint());
      let [lng, lat, west, east, south, north] = [0, 0, 180, -180, 90, -90];
      for (let index = 0; index < points.length; index += 2) {
        lng += signed();
        lat += signed();
        points[index] = lng / scale;
        points[index + 1] = lat / scale;
        west = Math.min(west, lng / scale);
        east = Math.max(east, lng / scale);
        south = Math.min(south, lat / scale);
        north = Math.max(north, lat / scale);
      }
      rings.push({ points, west, east, south, north });
    }
  }
  return rings;
}

/// The land in three sets of increasing detail. A set is loaded in parts when a zoom level first needs it.
export class Land {
  #loaded = new Map();

  constructor(redraw) { this.redraw = redraw; }

  /// Returns the most detailed rings that have been loaded for the shown region.
  rings(zoom, bounds) {
    const fit = sets.filter((set) => zoom >= set.from).reverse();
    for (const [index, set] of fit.entries()) {
      const names = set.part ? parts(set, bounds) : [set.name];
      if (index === 0) for (const name of names) this.#load(name);
      const rings = names.map((name) => this.#loaded.get(name));
      if (rings.every(Boolean)) return rings.flat();
      // Load less detailed land only if nothing else has been loaded yet.
      if (index === fit.length - 1) this.#load(set.name);
    }
    return [];
  }

  /// Returns the more precise coasts, each inside its box; empty if they are not loaded or the map shows other regions.
  patches(zoom, bounds) {
    return patches.filter(({ box }) => zoom >= 9 && box.west < bounds.getEast() && box.east > bounds.getWest()
      && box.south < bounds.getNorth() && box.north > bounds.getSouth()).map((patch) => {
      this.#load(patch.name);
      return { box: patch.box, rings: this.#loaded.get(patch.name) };
    }).filter((patch) => patch.rings);
  }

  async #load(name) {
    if (this.#loaded.has(name)) return;
    this.#loaded.set(name, null);
    try {
      const answer = await fetch(`/assets/land/${name}.bin`);
      if (!answer.ok) throw new Error(name);
      this.#loaded.set(name, decode(new Uint8Array(await answer.arrayBuffer())));
    } catch {
      setTimeout(() => this.#loaded.delete(name), 5000);
      return;
    }
    this.redraw();
  }
}

function parts({ name, part }, bounds) {
  const found = new Set(), rows = 180 / part, columns = 360 / part;
  const row = (lat) => Math.min(rows - 1, Math.max(0, Math.floor((lat + 90) / part)));
  const column = (lng) => Math.floor((lng + 180) / part);
  for (let each = column(bounds.getWest()); each <= column(bounds.getEast()); each += 1) {
    for (let up = row(bounds.getSouth()); up <= row(bounds.getNorth()); up += 1) {
      found.add(`${name}/${up * columns + ((each % columns) + columns) % columns}`);
    }
  }
  return [...found];
}
