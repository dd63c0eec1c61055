// SPDX-License-Identifier: Apache-2.0

const sets = [{ name: "110m", from: 0 }, { name: "50m", from: 4 }, { name: "10m", from: 6 }];

/// The rings of one set, each with longitudes and latitudes in turn and its bounds. MapPage's article has the byte map.
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

/// Land in three sets; the finer ones are loaded when a zoom first needs them.
export class Land {
  #loaded = new Map();

  constructor(redraw) { this.redraw = redraw; }

  rings(zoom) {
    const wanted = sets.findLast((set) => zoom >= set.from) ?? sets[0];
    if (!this.#loaded.has(wanted.name)) this.#load(wanted.name);
    for (const set of sets.slice(0, sets.indexOf(wanted) + 1).reverse()) {
      const rings = this.#loaded.get(set.name);
      if (rings) return rings;
    }
    return [];
  }

  async #load(name) {
    this.#loaded.set(name, null);
    try {
      const answer = await fetch(`/assets/land/${name}.bin`);
      if (!answer.ok) throw new Error(name);
      this.#loaded.set(name, decode(new Uint8Array(await answer.arrayBuffer())));
    } catch {
      this.#loaded.delete(name);
      return;
    }
    this.redraw();
  }
}
