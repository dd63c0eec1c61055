// SPDX-License-Identifier: Apache-2.0

const order = ["land", "points", "overlay"];

/// Adds a canvas over the map. While the map moves, the canvas is redrawn once per frame.
///
/// - `name`: "land", "points" or "overlay", in this order upwards.
/// - `isEmpty`: whether there is nothing to draw; then the canvas takes no memory.
export function canvasLayer(map, name, draw, isEmpty = () => false) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.dataset.layer = name;
  canvas.style.zIndex = String(100 + order.indexOf(name));
  map.getPanes().overlayPane.append(canvas);
  let due = false;
  const paint = () => {
    due = false;
    if (isEmpty()) {
      if (canvas.width) [canvas.width, canvas.height, canvas.style.width, canvas.style.height] = [0, 0, "0", "0"];
      return;
    }
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
    draw(pen, size, sharp);
  };
  const redraw = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(paint);
  };
  map.on("move zoom resize viewreset", redraw);
  dark.addEventListener("change", redraw);
  redraw();
  return redraw;
}

const dark = matchMedia("(prefers-color-scheme: dark)"), colours = new Map();
dark.addEventListener("change", () => colours.clear());

/// Returns a colour of the style sheet. It is cached, because reading it makes the browser lay out what has changed.
export function colour(name) {
  if (!colours.get(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return colours.get(name);
}

/// Mixes two colours, each written as #rrggbb; `part` is that of the second.
export function mix(from, to, part) {
  const channel = (text, at) => parseInt(text.slice(at, at + 2), 16) || 0;
  return part ? `rgb(${[1, 3, 5].map((at) => Math.round(channel(from, at) * (1 - part) + channel(to, at) * part)).join(" ")})` : from;
}

export const font = (weight, size) => `${weight} ${size}px system-ui, 'DejaVu Sans', sans-serif`;
