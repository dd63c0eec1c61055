// SPDX-License-Identifier: Apache-2.0

import { canvasLayer, colour } from "./layer.js";

const side = 56;

/// Draws pins, and counted clusters where many lie close together; finds what lies under a click.
export class PointLayer {
  #drawn = [];

  constructor(map, shown, selected) {
    Object.assign(this, { map, shown, selected });
    this.redraw = canvasLayer(map, (pen, size) => this.#draw(pen, size));
  }

  /// The landmarks of the pin or cluster at a point of the map, the closest first; empty if there is none.
  at(point) {
    const near = this.#drawn
      .map((group) => ({ group, far: Math.hypot(group.x - point.x, group.y - point.y) }))
      .filter(({ group, far }) => far <= Math.max(22, group.radius))
      .sort((a, b) => a.far - b.far);
    return near[0]?.group.landmarks ?? [];
  }

  #groups(size) {
    const cells = new Map(), centre = this.map.getCenter().lng, selected = this.selected();
    for (const landmark of this.shown()) {
      // The copy of the world that is closest to what is shown.
      const lng = landmark.lng + 360 * Math.round((centre - landmark.lng) / 360);
      if (Math.abs(landmark.lat) > 85.0511) continue;
      const { x, y } = this.map.latLngToContainerPoint([landmark.lat, lng]);
      if (x < -side || y < -side || x > size.x + side || y > size.y + side) continue;
      // Cells stay where they are on the world, so that clusters do not jump while the map is dragged.
      const world = this.map.project([landmark.lat, lng]);
      const key = landmark.id === selected ? selected : `${Math.floor(world.x / side)},${Math.floor(world.y / side)}`;
      const group = cells.get(key) ?? { x: 0, y: 0, landmarks: [] };
      group.x += x;
      group.y += y;
      group.landmarks.push(landmark);
      cells.set(key, group);
    }
    return [...cells.values()];
  }

  #draw(pen, size) {
    const [accent, own, ground, ink, on] = ["accent", "own", "ground", "ink", "on-accent"].map(colour);
    const labelled = this.map.getZoom() >= 10;
    this.#drawn = this.#groups(size);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const group of this.#drawn) {
      const many = group.landmarks.length, one = many === 1 ? group.landmarks[0] : null;
      group.x /= many;
      group.y /= many;
      group.radius = one ? (one.id === this.selected() ? 11 : 8) : 14 + 3 * Math.min(5, Math.log2(many));
      pen.beginPath();
      // People's landmarks are squares as well as of another colour: colour alone is not told apart by everybody.
      if (one && !one.source) pen.roundRect(group.x - 8, group.y - 8, 16, 16, 4);
      else pen.arc(group.x, group.y, group.radius, 0, 2 * Math.PI);
      pen.fillStyle = one && !one.source ? own : accent;
      pen.fill();
      pen.lineWidth = 2.5;
      pen.strokeStyle = one?.id === this.selected() && one ? ink : ground;
      pen.stroke();
      if (one && !labelled) continue;
      pen.font = one ? "500 14px system-ui, 'DejaVu Sans', sans-serif" : "600 14px system-ui, sans-serif";
      if (!one) {
        pen.fillStyle = on;
        pen.fillText(many.toLocaleString("en"), group.x, group.y);
        continue;
      }
      const name = one.name.length > 28 ? `${one.name.slice(0, 27)}…` : one.name;
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeStyle = ground;
      pen.strokeText(name, group.x, group.y + 21);
      pen.fillStyle = ink;
      pen.fillText(name, group.x, group.y + 21);
    }
  }
}
