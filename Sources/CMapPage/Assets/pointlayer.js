// SPDX-License-Identifier: Apache-2.0

import { canvasLayer, colour } from "./layer.js";
import { square } from "./mercator.js";

/// The side of a cluster's square in pixels. It is a few cells of a tile, so that each cluster is inside one tile.
const side = 64;

/// Whether all landmarks of a cluster were added by people; false for a tile with only counts, which does not tell.
const isPeoples = ({ count, ones }) => ones.length === count && ones.every((one) => !one.isSourced);

/// Shortens a count. The browser's formatter is too slow, because some hundred counts are drawn ten times a second.
const short = (count) => count >= 1e6 ? `${(count / 1e6).toFixed(1)}M` : count >= 1e4 ? `${Math.round(count / 1e3)}k`
  : count >= 1e3 ? `${Math.floor(count / 1e3)},${String(count % 1e3).padStart(3, "0")}` : String(count);

/// Draws pins, and clusters with a count where many landmarks are close together. Finds what is under a click.
export class PointLayer {
  #drawn = [];
  /// The boxes of the names that were written, so that no name covers another.
  #labels = [];
  /// The position of the selected landmark while it is dragged; null otherwise.
  dragged = null;

  /// - `openIDs`: returns the ids of the landmarks that are known to be open; null if all are drawn alike.
  constructor(map, tiles, store, selected, openIDs) {
    Object.assign(this, { map, tiles, store, selected, openIDs });
    this.redraw = canvasLayer(map, (pen, size) => this.#draw(pen, size));
  }

  /// Returns the pin or cluster at a point of the map; null if there is none.
  at(point) {
    const near = this.#drawn.map((group) => ({ group, far: Math.hypot(group.x - point.x, group.y - point.y) }))
      .filter(({ group, far }) => far <= Math.max(22, group.radius)).sort((a, b) => a.far - b.far);
    return near[0]?.group ?? null;
  }

  #groups(size) {
    const { map, tiles } = this, zoom = map.getZoom(), world = 256 * 2 ** zoom, corner = map.getPixelBounds().min;
    // Cells of 16 pixels are fine enough for clusters, and need only a sixteenth of the requests.
    const level = Math.max(0, zoom - 2), tileSide = world / 2 ** level, last = 2 ** level - 1, groups = new Map();
    const selected = this.selected(), chosen = this.store.landmarks.get(selected);
    tiles.begin();
    for (let column = Math.floor((corner.x - side) / tileSide); column * tileSide < corner.x + size.x + side; column += 1) {
      const x = ((column % (last + 1)) + last + 1) % (last + 1), shift = (column - x) * tileSide - corner.x;
      for (let y = Math.max(0, Math.floor(corner.y / tileSide)); y <= last && y * tileSide < corner.y + size.y; y += 1) {
        const tile = tiles.show(level, x, y);
        if (!tile) continue;
        const isCoarse = tile.z !== level;
        for (const item of tile.items()) {
          if (isCoarse && (Math.floor(item.x * (last + 1)) !== x || Math.floor(item.y * (last + 1)) !== y)) continue;
          const place = { x: item.x * world + shift, y: item.y * world - corner.y };
          if (place.x < -side || place.y < -side || place.x > size.x + side || place.y > size.y + side) continue;
          if (item.one && item.one.id === selected && chosen) continue;
          // The squares are fixed to the world, so that clusters do not jump while the map is dragged.
          const key = Math.floor((place.x + corner.x) / side + 2 ** 24) * 2 ** 26 + Math.floor(item.y * world / side);
          let group = groups.get(key);
          if (!group) {
            group = { x: 0, y: 0, count: 0, ones: [], west: 1, north: 1, east: 0, south: 0 };
            groups.set(key, group);
          }
          group.x += place.x * item.count;
          group.y += place.y * item.count;
          group.count += item.count;
          if (item.one) group.ones.push(item.one);
          group.west = Math.min(group.west, item.x - item.reach);
          group.east = Math.max(group.east, item.x + item.reach);
          group.north = Math.min(group.north, item.y - item.reach);
          group.south = Math.max(group.south, item.y + item.reach);
        }
      }
    }
    const found = [...groups.values()];
    for (const group of found) {
      [group.x, group.y] = [group.x / group.count, group.y / group.count];
      if (group.count > 1) for (const axis of ["x", "y"]) group[axis] = this.#apart(group[axis], corner[axis]);
    }
    if (chosen) found.push(this.#chosen(this.dragged ?? chosen, chosen, world, corner, size));
    return found;
  }

  /// Moves a cluster halfway to the centre of its square, so that it rarely covers a neighbouring cluster.
  #apart(value, from) { return (value + (Math.floor((value + from) / side) + 0.5) * side - from) / 2; }

  /// Returns the selected landmark as a pin of its own above all others.
  #chosen(place, landmark, world, corner, size) {
    const { x, y } = square(place), turn = Math.round((corner.x + size.x / 2 - x * world) / world);
    return { x: (x + turn) * world - corner.x, y: y * world - corner.y, count: 1, isSelected: true,
      ones: [{ id: landmark.id, isSourced: Boolean(landmark.source) }], west: x, east: x, north: y, south: y };
  }

  #draw(pen, size) {
    const [accent, own, ground, ink, on] = ["accent", "own", "ground", "ink", "on-accent"].map(colour);
    const isLabelled = this.map.getZoom() >= 10;
    const open = this.openIDs();
    this.#drawn = this.#groups(size);
    this.#labels = [];
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const group of this.#drawn) {
      pen.globalAlpha = !open || group.isSelected || group.ones.some(({ id }) => open.has(id)) ? 1 : 0.35;
      if (group.count > 1) this.#cluster(pen, group, isPeoples(group) ? own : accent, ground, on);
      else this.#pin(pen, group, group.ones[0], accent, own, ground, ink, isLabelled);
    }
    pen.globalAlpha = 1;
  }

  #cluster(pen, group, fill, ground, on) {
    group.radius = 14 + Math.min(11, Math.log10(group.count) * 2.6);
    pen.beginPath();
    pen.arc(group.x, group.y, group.radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    pen.lineWidth = 2.5;
    pen.strokeStyle = ground;
    pen.stroke();
    pen.font = "600 13px system-ui, 'DejaVu Sans', sans-serif";
    pen.fillStyle = on;
    pen.fillText(short(group.count), group.x, group.y);
  }

  #pin(pen, group, one, accent, own, ground, ink, isLabelled) {
    const radius = group.radius = group.isSelected ? 11 : 8, isOwn = one && !one.isSourced;
    pen.beginPath();
    // People's landmarks also have a different shape, because not everybody can distinguish the colours.
    if (isOwn) {
      const far = radius * 1.3;
      pen.moveTo(group.x, group.y - far);
      for (const [x, y] of [[far, 0], [0, far], [-far, 0]]) pen.lineTo(group.x + x, group.y + y);
      pen.closePath();
    } else pen.arc(group.x, group.y, radius, 0, 2 * Math.PI);
    pen.fillStyle = isOwn ? own : accent;
    pen.lineWidth = group.isSelected ? 3 : 2.5;
    pen.strokeStyle = group.isSelected ? ink : ground;
    pen.lineJoin = "round";
    pen.fill();
    pen.stroke();
    const known = one && (isLabelled || group.isSelected) && this.store.landmarks.get(one.id)?.name;
    if (!known) return;
    const name = known.length > 28 ? `${known.slice(0, 27)}…` : known;
    pen.font = "500 14px system-ui, 'DejaVu Sans', sans-serif";
    const half = pen.measureText(name).width / 2, label = { x: group.x, y: group.y, half };
    const isTaken = this.#labels.some((each) =>
      Math.abs(each.y - label.y) < 17 && Math.abs(each.x - label.x) < each.half + half + 4);
    if (isTaken && !group.isSelected) return;
    this.#labels.push(label);
    pen.lineWidth = 4;
    pen.strokeStyle = ground;
    pen.strokeText(name, group.x, group.y + radius + 13);
    pen.fillStyle = ink;
    pen.fillText(name, group.x, group.y + radius + 13);
  }
}
