// SPDX-License-Identifier: Apache-2.0

import { Land } from "./land.js";
import { canvasLayer, colour, mix } from "./layer.js";

/// Draws the land in every copy of the world that the map shows.
export function landLayer(map) {
  let redraw = () => {};
  const coast = new Land(() => redraw());
  redraw = canvasLayer(map, "land", (pen) => {
    const bounds = map.getBounds(), zoom = map.getZoom(), radians = Math.PI / 180;
    // The coast is coarse: close by it fades, because what it says there is not true.
    const land = mix(colour("land"), colour("water"), Math.max(0, Math.min(0.6, (zoom - 12) * 0.2)));
    const world = 256 * 2 ** zoom, corner = map.getPixelBounds().min;
    const x = (lng) => (lng + 180) / 360 * world - corner.x;
    const y = (lat) => {
      const sine = Math.sin(Math.max(-85.06, Math.min(85.06, lat)) * radians);
      return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world - corner.y;
    };
    const copies = [Math.floor((bounds.getWest() + 180) / 360), Math.floor((bounds.getEast() + 180) / 360)];
    const trace = (ring, copy) => {
      for (let index = 0; index < ring.points.length; index += 2) {
        const point = [x(ring.points[index] + copy * 360), y(ring.points[index + 1])];
        if (index === 0) pen.moveTo(...point); else pen.lineTo(...point);
      }
      pen.closePath();
    };
    const fill = (rings) => {
      pen.beginPath();
      for (const ring of rings) {
        if (ring.north < bounds.getSouth() || ring.south > bounds.getNorth()) continue;
        for (let copy = copies[0]; copy <= copies[1]; copy += 1) {
          if (ring.east + copy * 360 >= bounds.getWest() && ring.west + copy * 360 <= bounds.getEast()) trace(ring, copy);
        }
      }
      // A thin stroke in the same colour hides the gaps between cells.
      pen.fillStyle = pen.strokeStyle = land;
      pen.lineWidth = 1;
      pen.fill("evenodd");
      pen.stroke();
    };
    fill(coast.rings(zoom, bounds));
    for (const { box, rings } of coast.patches(zoom, bounds)) {
      pen.fillStyle = colour("water");
      pen.fillRect(x(box.west), y(box.north), x(box.east) - x(box.west), y(box.south) - y(box.north));
      fill(rings);
    }
  });
}
