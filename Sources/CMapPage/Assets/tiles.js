// SPDX-License-Identifier: Apache-2.0

import { globe } from "./mercator.js";
import { keptHeaders } from "./offline.js";
import { Tile } from "./tile.js";
import { mostBytes } from "./tilebytes.js";

const mostKept = 80;
const mostAsked = 4;
/// In milliseconds: between two requests, and between two of a tile, whose changes are shown meanwhile.
const pace = 300, rest = 1000;

/// The tiles that the map shows. A change is shown in its tiles at once, and these tiles are soon requested again.
export class Tiles extends EventTarget {
  #kept = new Map();
  #seen = [];
  #asked = 0;
  #generation = 0;
  #notBefore = 0;

  constructor(query, passes) {
    super();
    Object.assign(this, { query, passes });
    setInterval(() => this.#renew(), pace);
  }

  /// Removes all tiles, because the filter has changed or somebody has signed in.
  clear() {
    this.#notBefore = 0;
    this.#generation += 1;
    this.#kept.clear();
    this.dispatchEvent(new Event("change"));
  }

  /// Marks tiles as outdated whose changes were not told.
  doubt(mostZoom = Infinity) { for (const tile of this.#kept.values()) tile.isStale ||= tile.z <= mostZoom; }

  /// Returns corners of the tiles that the map shows; none if they are a large part of the world.
  corners() {
    if (this.#seen.some(({ z }) => z < 2)) return [];
    return this.#seen.flatMap(({ x, y, scale }) => [globe({ x: x / scale, y: y / scale }), globe({ x: (x + 1) / scale, y: (y + 1) / scale })])
      // The outermost tiles stand for the poles, too.
      .map(({ lat, lng }) => ({ lat: Math.abs(lat) > 85 ? 90 * Math.sign(lat) : lat, lng }));
  }

  /// Returns a tile for the map. Until the tile has arrived, returns a less detailed tile; null if there is none.
  show(z, x, y) {
    const wanted = this.#tile(z, x, y);
    this.#seen.push(wanted);
    if (!wanted.isLoaded) this.#ask(wanted);
    for (let up = 0; up <= z; up += 1) {
      const tile = this.#kept.get(`${z - up}/${x >> up}/${y >> up}`);
      if (tile?.isLoaded) return tile;
    }
    return null;
  }

  /// Starts a drawing. The tiles that are requested from now on are in use.
  begin() { this.#seen = []; }

  apply(change) {
    const after = change.op === "removed" ? null : change.landmark;
    const before = change.before ?? (change.op === "added" ? null : change.landmark);
    const [old, now] = [before, after].map((each) => (each && this.passes(each) ? each : null));
    let isShown = false;
    for (const tile of this.#kept.values()) {
      if (!tile.isLoaded || !tile.apply(old, now, true)) continue;
      tile.isStale = isShown = true;
      tile.missed?.push([old, now]);
    }
    return isShown;
  }

  /// Returns the smallest box around all landmarks in a box of the unit square, with corners in degrees; null if it is
  /// empty. Both boxes may go on beyond the 180th meridian, that is, beyond 0 and 1 from west to east.
  async extent(box = { west: 0, north: 0, east: 1, south: 1 }) {
    for (let zoom = -1, isExact = false; ;) {
      const wide = Math.max(box.east - box.west, box.south - box.north, 1e-9);
      const next = Math.min(20, Math.max(0, Math.floor(-Math.log2(wide))));
      if (next <= zoom || isExact) break;
      zoom = next;
      const scale = 2 ** zoom, row = (value) => Math.min(scale - 1, Math.max(0, Math.floor(value * scale))), wanted = [];
      const first = Math.floor(box.west * scale), end = Math.min(first + scale, Math.floor(box.east * scale) + 1);
      for (let column = first; column < end; column += 1) {
        const turn = Math.floor(column / scale);
        for (let y = row(box.north); y <= row(box.south); y += 1) {
          wanted.push(this.whole(zoom, column - turn * scale, y).then((tile) => tile.items().map((item) => ({ ...item, x: item.x + turn }))));
        }
      }
      const items = (await Promise.all(wanted)).flat().filter(({ x, y, reach }) =>
        x + reach >= box.west && x - reach <= box.east && y + reach >= box.north && y - reach <= box.south);
      if (!items.length) return null;
      isExact = items.every((item) => item.reach === 0);
      box = box.east - box.west < 1 ? within(box, bounds(items)) : bounds(turned(items));
    }
    return [globe({ x: box.west, y: box.north }), globe({ x: box.east, y: box.south })];
  }

  /// Returns a tile as the service has it. Waits until it has arrived.
  async whole(z, x, y) {
    const tile = this.#tile(z, x, y);
    for (let attempt = 0; attempt < 40 && (!tile.isLoaded || tile.isStale); attempt += 1) {
      await this.#fetch(tile);
      if (tile.isLoaded) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return tile;
  }

  /// Returns the tiles as the service sent them. Waits for requests in flight.
  async held() {
    for (let turn = 0; this.#asked && turn < 200; turn += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    const query = this.query();
    return [...this.#kept.values()].filter((tile) => tile.isLoaded)
      .map((tile) => ({ path: path(tile, query), bytes: tile.bytes, tag: tile.tag }));
  }

  #tile(z, x, y) {
    const name = `${z}/${x}/${y}`, tile = this.#kept.get(name) ?? new Tile(z, x, y);
    // The most recently used tile is at the end of the map, so the one unused for longest is removed first.
    this.#kept.delete(name);
    this.#kept.set(name, tile);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value);
    return tile;
  }

  #ask(tile) { if (this.#asked < mostAsked && Date.now() >= this.#notBefore) this.#fetch(tile); }

  #renew() {
    if (document.hidden) return;
    const due = this.#seen.find((tile) => !tile.isLoaded) ?? this.#seen.find((tile) => tile.isStale && Date.now() - tile.asked >= rest);
    if (!due) return;
    // Move the tile to the end, so that the other tiles are requested before it is requested again.
    this.#seen = [...this.#seen.filter((tile) => tile !== due), due];
    this.#ask(due);
  }

  async #fetch(tile) {
    if (tile.missed) return;
    const generation = this.#generation, query = this.query();
    [tile.missed, tile.isStale, tile.asked] = [[], false, Date.now()];
    this.#asked += 1;
    let wait = 0;
    try {
      const answer = await fetch(path(tile, query),
        { headers: { ...keptHeaders(), ...(tile.tag ? { "If-None-Match": tile.tag } : {}) }, cache: "no-store" });
      if (answer.status === 304) tile.restore();
      else if (answer.ok) tile.fill(await read(answer), answer.headers.get("ETag") ?? "");
      // The first tiles do not wait for the answer that says whether somebody has to sign in.
      else wait = answer.status === 401 ? Infinity : Math.min(30, Number(answer.headers.get("Retry-After")) || 1);
    } catch {
      wait = 1;
    }
    this.#asked -= 1;
    const missed = tile.missed;
    tile.missed = null;
    if (generation !== this.#generation) return;
    if (wait) {
      tile.isStale = true;
      this.#notBefore = Date.now() + wait * 1000;
    }
    // Changes that arrived meanwhile may already be in the answer. Placing a landmark twice is harmless, but counting
    // it twice is not.
    for (const [before, after] of missed) if (tile.isLoaded) tile.apply(before, after, false);
    this.dispatchEvent(new CustomEvent("change", { detail: tile }));
  }
}

/// Moves what lies west of the widest gap around the earth one turn to the east, so that the box around all is small.
function turned(items) {
  const sorted = [...items].sort((a, b) => a.x - b.x);
  let cut = -Infinity, widest = sorted[0].x + 1 - sorted.at(-1).x;
  for (let index = 1; index < sorted.length; index += 1) {
    const gap = sorted[index].x - sorted[index - 1].x;
    if (gap > widest) [cut, widest] = [sorted[index].x, gap];
  }
  return items.map((item) => (item.x < cut ? { ...item, x: item.x + 1 } : item));
}

function bounds(items) {
  const box = { west: Infinity, north: Infinity, east: -Infinity, south: -Infinity };
  for (const { x, y, reach } of items) {
    box.west = Math.min(box.west, x - reach);
    box.north = Math.min(box.north, y - reach);
    box.east = Math.max(box.east, x + reach);
    box.south = Math.max(box.south, y + reach);
  }
  return box;
}

const within = (a, b) => ({ west: Math.max(a.west, b.west), north: Math.max(a.north, b.north), east: Math.min(a.east, b.east),
  south: Math.min(a.south, b.south) });

const path = ({ z, x, y }, query) => `/v1/tiles/${z}/${x}/${y}${query && `?${query}`}`;

/// Reads the bytes of an answer, as long as they are not more than a tile can have.
async function read(answer) {
  const bytes = new Uint8Array(mostBytes), reader = answer.body.getReader();
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return bytes.slice(0, size);
    if (size + value.length > mostBytes) {
      await reader.cancel();
      throw new RangeError("A tile is larger than a tile can be.");
    }
    bytes.set(value, size);
    size += value.length;
  }
}
