// SPDX-License-Identifier: Apache-2.0

/// Adds a canvas over the map. While the map moves, the canvas is redrawn once per frame.
export function canvasLayer(map, draw) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  map.getPanes().overlayPane.append(canvas);
  let due = false;
  const paint = () => {
    due = false;
    const size = map.getSize(), sharp = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(size.x * sharp), Math.round(size.y * sharp)];
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      [canvas.style.width, canvas.style.height] = [`${size.x}px`, `${size.y}px`];
    }
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    const pen = canvas.getContext("2d");
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, size.x, size.y);
    draw(pen, size);
  };
  const redraw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(paint);
  };
  map.on("move zoom resize viewreset", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  redraw();
  return redraw;
}

const colours = new Map();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => colours.clear());

/// Returns a colour of the style sheet. It is cached, because reading it makes the browser lay out what has changed.
export function colour(name) {
  if (!colours.get(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}
