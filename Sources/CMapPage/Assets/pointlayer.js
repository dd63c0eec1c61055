// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { hue, merge, pinRadius, radius, shift } from "./clusters.js";
import { find } from "./dom.js";
import { place } from "./labels.js";
import { canvasLayer, colour, font } from "./layer.js";
import { square } from "./mercator.js";
import { mark, write } from "./pins.js";
import { on } from "./state.js";
import { Towns } from "./towns.js";

/// Tiles this far outside of the map are drawn, too, so that circles at its edge do not change when it moves.
const margin = 96;
/// The greatest width of a name in letters, and the zoom level from which pins have names.
const letters = 28, named = 10;
/// The least rest in milliseconds after a drawing, before what others change is drawn.
const rest = 20;

/// Draws pins, circles with a count where many landmarks are close together, and the names of pins and towns. Finds
/// what is under a click, and tells which pin is under the mouse.
export class PointLayer {
  /// The tiles' contents of the last drawing, and what was made of them in pixels of the world: circles, names, and
  /// `own`, the circles of hits.
  #sources = [];
  #zoom = -1;
  #groups = [];
  #own = [];
  /// The landmarks that were drawn apart from the circles.
  #apart = "";
  #names = [];
  #isDirty = true;
  #widths = new Map();
  #hovered = null;
  #hoverDue = 0;
  /// The timer of the next drawing of what others change, and the time until which it waits.
  #due = 0;
  #rests = 0;
  /// The position of the selected landmark while it is dragged; null otherwise.
  dragged = null;

  /// - `openIDs`: returns the ids of the landmarks that are known to be open; null if all are drawn alike.
  /// - `hits`: returns the landmarks that a search found, which stand out; null without a search.
  constructor({ map, tiles, store, state, openIDs, hits = () => null }) {
    Object.assign(this, { map, tiles, store, state, openIDs, hits });
    // The pictures of a tile server have names of their own.
    this.towns = find("map").dataset.tiles ? null : new Towns(map, () => this.redraw());
    this.paint = canvasLayer(map, "points", (pen, size, sharp) => {
      const begun = performance.now();
      this.#draw(pen, size, sharp);
      this.#rests = 2 * performance.now() - begun + rest;
    });
    on(state, ["selected", "kind", "user", "source", "query", "mode"], () => this.redraw());
    state.addEventListener("hover", ({ detail }) => {
      this.#hovered = detail;
      this.paint();
    });
    map.on("mousemove", ({ containerPoint, originalEvent }) => { if (!originalEvent.buttons) this.#point(containerPoint); });
    map.on("mouseout", () => this.#point(null));
  }

  /// Draws anew what tiles, landmarks, hits or hours have changed.
  redraw() {
    this.#isDirty = true;
    this.paint();
  }

  /// Draws anew what others have changed: at once after a pause, but for less than half of the time, because the rest is
  /// for the person's own actions.
  redrawSoon() {
    this.#due ||= setTimeout(() => {
      this.#due = 0;
      this.redraw();
    }, Math.max(0, this.#rests - performance.now()));
  }

  /// Returns the pin or circle at a point of the map; null if there is none. `x` and `y` are its middle on the map.
  at(point) {
    const corner = this.map.getPixelBounds().min, [east, south] = [point.x + corner.x, point.y + corner.y];
    let found = null, least = Infinity;
    for (const group of [...this.#groups, ...this.#own]) {
      const far = Math.hypot(group.x - east, group.y - south);
      if (far < least && far <= Math.max(22, group.radius)) [found, least] = [group, far];
    }
    return found && { ...found, x: found.x - corner.x, y: found.y - corner.y };
  }

  /// Tells the pin under the mouse, and shows by the pointer whether a press does something there.
  #point(at) {
    const { mode } = this.state, hit = at && !mode ? this.at(at) : null;
    this.map.getContainer().style.cursor = mode ? "crosshair" : hit ? "pointer" : "";
    const id = hit?.count === 1 ? hit.ones[0]?.id ?? null : null;
    if (id === this.#hovered) return;
    this.state.hover(id);
    clearTimeout(this.#hoverDue);
    if (id && !this.store.landmarks.has(id)) this.#hoverDue = setTimeout(() => this.#name(id), 120);
  }

  /// Requests a landmark for its name, which is only an addition to the map.
  async #name(id) {
    const landmark = await api.show(id).catch(() => null);
    if (landmark) this.store.put(landmark);
    this.paint();
  }

  /// Returns what is drawn from each tile in view: its contents, and how many pixels east of the first world it lies.
  #shown(size, zoom, world, corner) {
    // A pinch zooms between the levels.
    const level = Math.max(0, Math.round(zoom) - 2), many = 2 ** level, side = world / many, found = [];
    this.tiles.begin();
    for (let column = Math.floor((corner.x - margin) / side); column * side < corner.x + size.x + margin; column += 1) {
      const x = (column % many + many) % many, turn = (column - x) / many;
      const first = Math.max(0, Math.floor((corner.y - margin) / side));
      for (let y = first; y < many && y * side < corner.y + size.y + margin; y += 1) {
        const tile = this.tiles.show(level, x, y);
        // A tile of a lower level stands for several until they come; each takes its part.
        if (tile) found.push({ items: tile.items(), turn, x, y, scale: tile.z === level ? 0 : many });
      }
    }
    return found;
  }

  #layout(size) {
    const { map } = this, zoom = map.getZoom(), world = 256 * 2 ** zoom, corner = map.getPixelBounds().min;
    const sources = this.#shown(size, zoom, world, corner);
    const isSame = zoom === this.#zoom && sources.length === this.#sources.length && sources.every(({ items, turn, x, y }, index) => {
      const old = this.#sources[index];
      return items === old.items && turn === old.turn && x === old.x && y === old.y;
    });
    if (isSame && !this.#isDirty) return;
    [this.#sources, this.#zoom, this.#isDirty] = [sources, zoom, false];
    const { selected } = this.state, chosen = this.store.landmarks.get(selected), hits = this.hits() ?? [];
    const apart = new Set([...hits.map(({ id }) => id), ...chosen ? [selected] : []]), key = [...apart].join();
    // Most changes are of names, or elsewhere, and leave the circles as they are.
    if (!isSame || key !== this.#apart) this.#groups = this.#merged(apart, world, zoom < 2.5);
    this.#apart = key;
    const near = (landmark) => this.#near(landmark, world, corner, size);
    this.#own = merge(hits.filter(({ id }) => id !== selected).map(near));
    if (chosen) this.#own.push({ ...near({ ...chosen, ...this.dragged }), radius: pinRadius + 3, isSelected: true });
    for (const group of [...this.#groups, ...this.#own]) group.hue = this.state.source ? "accent" : this.state.user ? "own" : hue(group);
    this.#names = this.#named(zoom, world, sources);
  }

  /// Merges the landmarks and cells of the tiles, except for landmarks that are drawn apart. If all are in one tile, they
  /// are merged once for all copies of the world.
  #merged(apart, world, isOne) {
    const items = [];
    for (const { items: all, turn, x, y, scale } of isOne ? this.#sources.slice(0, 1) : this.#sources) {
      for (const item of all) {
        if (scale && (Math.floor(item.x * scale) !== x || Math.floor(item.y * scale) !== y)) continue;
        if (!item.one || !apart.has(item.one.id)) items.push(this.#circle(item, isOne ? 0 : turn, world));
      }
    }
    if (!isOne) return merge(items);
    return merge(items, world).flatMap((each) => this.#sources.map(({ turn }) => shift({ ...each }, turn, world)));
  }

  #circle({ x, y, count, reach, one }, turn, world) {
    return { x: (x + turn) * world, y: y * world, count, radius: radius(count), ones: one ? [one] : [],
      west: x + turn - reach, north: y - reach, east: x + turn + reach, south: y + reach, isGone: false, cell: 0, rank: 0 };
  }

  /// Returns the circle of a landmark in the copy of the world that is nearest to the map's centre.
  #near(landmark, world, corner, size) {
    const { x, y } = square(landmark), turn = Math.round((corner.x + size.x / 2 - x * world) / world);
    const one = { id: landmark.id, isSourced: Boolean(landmark.source), kind: landmark.kind };
    return this.#circle({ x, y, count: 1, reach: 0, one }, turn, world);
  }

  /// Finds places for the names of pins, the important ones first, and then of towns.
  #named(zoom, world, sources) {
    const pins = [...this.#own.filter(({ isSelected }) => isSelected), ...this.#own.filter(({ isSelected }) => !isSelected),
      ...(zoom >= named ? this.#groups : [])].filter(({ count, ones }) => count === 1 && ones.length);
    const wishes = [];
    for (const { x, y, radius, ones: [{ id }], isSelected } of pins) {
      const name = this.store.landmarks.get(id)?.name;
      if (name) wishes.push({ x, y, radius, isNeeded: isSelected, ...this.#text(name, 500, 14) });
    }
    for (const { x, y, name, size } of this.towns?.shown(zoom, sources) ?? []) {
      wishes.push({ x: x * world, y: y * world, radius: 4, isCentred: true, isTown: true, ...this.#text(name, 400, size > 5 ? 15 : 13) });
    }
    const spots = place(wishes, [...this.#groups, ...this.#own]);
    return wishes.map((wish, index) => spots[index] && { ...wish, ...spots[index] }).filter(Boolean);
  }

  /// Shortens a name, and measures it once.
  #text(known, weight, size) {
    const text = [...known].length > letters ? `${[...known].slice(0, letters - 1).join("")}…` : known, key = `${weight} ${size} ${text}`;
    if (!this.#widths.has(key)) {
      if (this.#widths.size > 4000) this.#widths.clear();
      this.pen.font = font(weight, size);
      this.#widths.set(key, this.pen.measureText(text).width);
    }
    return { text, weight, size, width: this.#widths.get(key), height: size + 2 };
  }

  #draw(pen, size, sharp) {
    this.pen = pen;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    this.#layout(size);
    const { x: west, y: north } = this.map.getPixelBounds().min, ground = colour("ground"), ink = colour("ink");
    const whole = (value) => Math.round(value * sharp) / sharp;
    const isSeen = ({ x, y }, far) => x > west - far && y > north - far && x < west + size.x + far && y < north + size.y + far;
    const open = this.openIDs(), isFound = this.hits() !== null;
    pen.save();
    // Whole pixels keep the text sharp while the map is still.
    pen.translate(-whole(west), -whole(north));
    for (const each of this.#names) if (each.isTown && isSeen(each, 120)) write(pen, each, colour("town"), ground);
    for (const [groups, isPale] of [[this.#groups, isFound], [this.#own, false]]) {
      pen.fillStyle = colour("on-accent");
      for (const group of groups) {
        if (!isSeen(group, 40)) continue;
        // A circle whose landmarks are not all known may have open ones.
        const isKnown = !open || group.isSelected || group.ones.length < group.count || group.ones.some(({ id }) => open.has(id));
        pen.globalAlpha = isPale || !isKnown ? 0.35 : 1;
        mark(pen, group, ground, ink, sharp, whole);
      }
    }
    pen.globalAlpha = 1;
    for (const each of this.#names) if (!each.isTown && isSeen(each, 200)) write(pen, each, ink, ground);
    this.#hover(pen, size, west, north, ground, ink);
    pen.restore();
  }

  /// Draws a ring around the landmark under the pointer, on the map or in the list, and its name.
  #hover(pen, size, west, north, ground, ink) {
    const landmark = this.#hovered && this.store.landmarks.get(this.#hovered);
    if (!landmark) return;
    const { x, y } = this.#near(landmark, 256 * 2 ** this.#zoom, { x: west, y: north }, size);
    [pen.lineWidth, pen.strokeStyle] = [3, ink];
    pen.beginPath();
    pen.arc(x, y, pinRadius + 5, 0, 2 * Math.PI);
    pen.stroke();
    const { text, width } = this.#text(landmark.name, 500, 14), half = width / 2 + 9;
    const middle = Math.max(west + half, Math.min(west + size.x - half, x)), top = y - north > 56 ? y - pinRadius - 36 : y + pinRadius + 10;
    [pen.font, pen.fillStyle] = [font(500, 14), ink];
    pen.beginPath();
    pen.roundRect(middle - half, top, 2 * half, 26, 7);
    pen.fill();
    pen.fillStyle = ground;
    pen.fillText(text, middle, top + 13.5);
  }
}
