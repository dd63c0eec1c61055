// SPDX-License-Identifier: Apache-2.0

import { setMaxListeners } from "node:events";

/// Stands in for what the map's modules need of a browser and of Leaflet: elements that remember, a pen that records,
/// and a map of 800 × 600 pixels that can be moved.

setMaxListeners(0);

class Box extends EventTarget {
  hidden = false;
  disabled = false;
  dataset = {};
  style = {};
  attributes = {};
  children = [];
  width = 0;
  height = 0;
  offsetWidth = 200;
  offsetHeight = 120;
  className = "";
  get classList() { return { toggle: (name, on) => { this.attributes[`class-${name}`] = on; } }; }
  get textContent() { return this.children.map((each) => (typeof each === "string" ? each : each.textContent)).join(""); }
  set textContent(text) { this.children = [text]; }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...children) {
    for (const each of children) if (each instanceof Box) each.parentNode = this;
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }
  remove() { this.parentNode.children = this.parentNode.children.filter((each) => each !== this); }
  contains(other) { return other === this || this.children.some((each) => each.contains?.(other)); }
  querySelector() { return this.buttons[0] ?? null; }
  get buttons() { return this.children.flatMap((each) => (each.tag === "button" ? [each] : each.buttons ?? [])); }
  showModal() {}
  close() { this.dispatchEvent(new Event("close")); }
  focus() { document.activeElement = this; }
  press() { this.dispatchEvent(new Event("click")); }
  getContext() { return this.pen ??= pen(); }
}

/// A pen that records its calls, with the colour that it fills with.
function pen() {
  const calls = [], made = { calls, measureText: (text) => ({ width: 8 * text.length }), globalAlpha: 1 };
  return new Proxy(made, { get: (target, name) => name in target ? target[name]
    : (...rest) => { calls.push({ name, rest, fill: target.fillStyle, alpha: target.globalAlpha }); } });
}

const boxes = new Map();
globalThis.document = { hidden: false, documentElement: {}, activeElement: null, body: new Box(),
  createElement: (tag) => Object.assign(new Box(), { tag }),
  getElementById: (id) => boxes.get(id) ?? boxes.set(id, new Box()).get(id) };
globalThis.window = globalThis;
globalThis.innerWidth = 1280;
globalThis.matchMedia = () => new EventTarget();
globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => ({ "--accent": "#0b63b8", "--own": "#b5471b", "--mixed": "#56616e" })[name] ?? "#101010" });
globalThis.Path2D = class { constructor(path) { this.path = path; } };
globalThis.localStorage ??= { getItem: (name) => (name === "waymark-user" ? "Maya" : null), setItem: () => {} };
globalThis.setInterval = () => 0;
const frames = [];
globalThis.requestAnimationFrame = (paint) => frames.push(paint);
globalThis.addEventListener = () => {};

/// Makes all elements of the page anew.
export function renew() {
  boxes.clear();
  frames.length = 0;
  for (const id of ["editor", "popover", "task", "crosshair"]) find(id).hidden = true;
}

export const find = (id) => document.getElementById(id);
/// Draws what is due.
export function frame() { for (const paint of frames.splice(0)) paint(); }

class Point {
  constructor(x, y) { Object.assign(this, { x, y }); }
  divideBy(by) { return new Point(this.x / by, this.y / by); }
  distanceTo({ x, y }) { return Math.hypot(this.x - x, this.y - y); }
}

const radians = Math.PI / 180;
class LatLng {
  constructor(lat, lng) { Object.assign(this, { lat, lng }); }
  wrap() { return new LatLng(this.lat, ((this.lng + 180) % 360 + 360) % 360 - 180); }
}

globalThis.L = { DomUtil: { setPosition: () => {} }, latLngBounds: ([a, b]) => ({ getCenter: () => new LatLng((a.lat + b.lat) / 2, (a.lng + b.lng) / 2) }) };

export class StageMap {
  handlers = {};
  container = new Box();
  canvases = new Box();
  doubleClickZoom = { isOn: true, enable() { this.isOn = true; }, disable() { this.isOn = false; } };
  attributionControl = { addAttribution: () => {} };
  constructor(lat, lng, zoom) { Object.assign(this, { centre: new LatLng(lat, lng), zoom }); }
  on(names, handler) { for (const name of names.split(" ")) (this.handlers[name] ??= []).push(handler); }
  fire(name, event = {}) { for (const each of this.handlers[name] ?? []) each(event); }
  /// A press of the mouse at a point.
  press(x, y, detail = 1) {
    this.fire("click", { latlng: this.containerPointToLatLng({ x, y }), containerPoint: new Point(x, y), originalEvent: { detail } });
  }
  setView({ lat, lng }, zoom = this.zoom) {
    Object.assign(this, { centre: new LatLng(lat, lng), zoom });
    for (const name of ["move", "moveend"]) this.fire(name);
  }
  fitBounds(corners) { this.fitted = corners; }
  getZoom() { return this.zoom; }
  getMaxZoom() { return 18; }
  getSize() { return new Point(800, 600); }
  getCenter() { return this.centre; }
  getContainer() { return this.container; }
  getPanes() { return { overlayPane: this.canvases }; }
  project({ lat, lng }, zoom = this.zoom) {
    const world = 256 * 2 ** zoom, sine = Math.sin(lat * radians);
    return new Point((lng + 180) / 360 * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world);
  }
  getPixelBounds() {
    const { x, y } = this.project(this.centre);
    return { min: new Point(Math.round(x - 400), Math.round(y - 300)) };
  }
  latLngToContainerPoint(place) {
    const { x, y } = this.project(Array.isArray(place) ? { lat: place[0], lng: place[1] } : place), { min } = this.getPixelBounds();
    return new Point(x - min.x, y - min.y);
  }
  containerPointToLatLng({ x, y }) {
    const { min } = this.getPixelBounds(), world = 256 * 2 ** this.zoom;
    const lat = Math.atan(Math.sinh(Math.PI * (1 - 2 * (y + min.y) / world))) / radians;
    return new LatLng(lat, (x + min.x) / world * 360 - 180);
  }
  containerPointToLayerPoint() { return new Point(0, 0); }
  canvas(name) { return this.canvases.children.find(({ dataset }) => dataset.layer === name); }
  /// Returns what was drawn since the last question. A copy of a picture counts as the strokes of the picture, where
  /// the copy lies.
  drawn(name) {
    frame();
    return this.canvas(name).getContext().calls.splice(0).flatMap((call) => {
      if (call.name !== "drawImage") return [call];
      const [picture, x, y, side] = call.rest;
      return picture.getContext().calls.map((each) => ({ ...each, alpha: call.alpha,
        rest: each.name === "arc" ? [each.rest[0] + x + side / 2, each.rest[1] + y + side / 2, ...each.rest.slice(2)] : each.rest }));
    });
  }
}
