// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { button, element, find } from "./dom.js";
import { copy, say } from "./notice.js";
import { caption, marker } from "./overlay.js";
import { mayAdd } from "./session.js";
import { on } from "./state.js";
import * as words from "./words.js";

/// How long a press waits for a second one, which zooms, in milliseconds.
const patience = 280;

/// The actions at a place where nothing lies.
class Popover {
  at = null;

  constructor(map, actions, changed) {
    Object.assign(this, { map, actions, changed, box: find("popover") });
    map.on("move zoom resize", () => this.#place());
    this.box.addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
  }

  show(at, takesFocus) {
    this.at = at;
    const begin = (action) => () => {
      this.hide();
      action(at);
    };
    this.box.replaceChildren(...Object.entries(this.actions).filter(([name]) => name !== "Add here" || mayAdd())
      .map(([name, action]) => button(name, begin(action))), button("What is here?", () => this.#tell(at)));
    this.#place();
    if (takesFocus) this.box.querySelector("button").focus({ preventScroll: true });
    this.changed();
  }

  hide() {
    if (!this.at) return;
    this.at = null;
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    if (hadFocus) find("map").focus({ preventScroll: true });
    this.changed();
  }

  async #tell(at) {
    const text = words.place(at), shown = element("p", { role: "status" }, text);
    const copying = button("Copy position", () => copy(text, "The position was copied.", `The position is ${text}.`));
    this.box.replaceChildren(shown, copying);
    copying.focus({ preventScroll: true });
    const where = await api.where(at).catch(() => null);
    if (this.at === at && where?.text) shown.append(element("br"), where.text, element("br"), element("span", { className: "small" }, where.attribution));
    this.#place();
  }

  #place() {
    if (!this.at) return;
    const from = this.map.getCenter().lng, lng = this.at.lng + 360 * Math.round((from - this.at.lng) / 360);
    const { x, y } = this.map.latLngToContainerPoint([this.at.lat, lng]), size = this.map.getSize();
    if (x < 0 || y < 0 || x > size.x || y > size.y) return this.hide();
    this.box.hidden = false;
    const half = this.box.offsetWidth / 2 + 8, isBelow = y < this.box.offsetHeight + (innerWidth <= 720 ? 110 : 48);
    this.box.classList.toggle("below", isBelow);
    [this.box.style.left, this.box.style.top] = [`${Math.max(half, Math.min(size.x - half, x))}px`, `${isBelow ? y : y - 24}px`];
  }
}

/// Handles presses on the map, and Enter on it, for which its centre is the place. A press selects a landmark, zooms
/// into a circle, or opens a popover where nothing lies. In a mode it sets a point of the mode.
///
/// - `measure`, `area`: parts of the page that come later.
/// - `add`: begins to add a landmark at a place.
/// - `spot`: lists the landmarks at one spot, with its middle, its radius in metres and their number.
export function startPress({ map, overlay, points, tiles, state, measure, area, add, spot }) {
  let due = 0, opened = 0, draft = null, town = null;
  const centre = () => map.getCenter().wrap(), tell = (error) => say(error.message);
  const marks = () => [popover.at, draft, town].filter(Boolean);
  const redraw = overlay.add(() => !marks().length, (pen, project) => {
    for (const mark of marks()) {
      const [place] = project([mark]);
      marker(pen, place);
      if (mark.label) caption(pen, mark.label, place, 15);
    }
  }, true);
  const popover = new Popover(map, { "Add here": add, "Measure from here": (at) => {
    state.set({ mode: "measure" });
    measure.use((each) => each.mark(at));
  } }, redraw);
  state.addEventListener("draft", ({ detail }) => { draft = detail; redraw(); });
  state.addEventListener("town", ({ detail }) => { town = detail; redraw(); });
  on(state, ["selected", "mode"], () => {
    clearTimeout(due);
    popover.hide();
    town = null;
    redraw();
  });
  on(state, ["mode"], () => {
    find("crosshair").hidden = state.mode !== "add";
    map.doubleClickZoom[state.mode ? "disable" : "enable"]();
  });

  /// Sets a point of the mode; returns false if there is no mode.
  function mark(at) {
    if (state.mode === "measure") measure.use((each) => each.mark(at));
    else if (state.mode === "area") area.use((each) => each.mark(at));
    else if (state.mode === "add") state.dispatchEvent(new CustomEvent("place", { detail: plain(at.wrap()) }));
    return Boolean(state.mode);
  }

  async function open(hit) {
    popover.hide();
    if (hit.count === 1 && hit.ones.length) return state.set({ selected: hit.ones[0].id });
    const asked = (opened += 1), corners = await tiles.extent(hit);
    // The person may have pressed something else meanwhile.
    if (!corners || asked !== opened) return;
    const [northWest, southEast] = corners.map((corner) => map.project(corner, map.getMaxZoom())), middle = L.latLngBounds(corners).getCenter();
    if (hit.count > 1 && map.getZoom() < map.getMaxZoom() && northWest.distanceTo(southEast) > 1) {
      return map.fitBounds(corners, { padding: [60, 60], animate: false });
    }
    const at = plain(middle.wrap());
    if (hit.count > 1) return spot({ ...at, radius: Math.ceil(words.metres(middle, corners[0])) + 1, count: hit.count });
    const { landmarks } = await api.near({ ...state.filters, ...at, limit: 1 });
    if (landmarks.length && asked === opened) state.set({ selected: landmarks[0].id });
  }

  map.on("click", ({ latlng, containerPoint, originalEvent }) => {
    // The second click of a double click belongs to the first.
    if (originalEvent?.detail > 1) return clearTimeout(due);
    if (mark(latlng)) return;
    const hit = points.at(containerPoint);
    if (hit) return open(hit).catch(tell);
    if (popover.at) return popover.hide();
    // A text in the form is not lost by a press beside it.
    if (!find("editor").hidden) return;
    clearTimeout(due);
    due = setTimeout(() => {
      state.set({ selected: null });
      popover.show(plain(latlng.wrap()));
    }, patience);
  });
  map.on("dblclick dragstart", () => clearTimeout(due));
  map.on("contextmenu", ({ latlng }) => {
    clearTimeout(due);
    if (!state.mode && find("editor").hidden) popover.show(plain(latlng.wrap()));
  });
  find("map").addEventListener("keydown", (event) => {
    if (event.key === "Escape") popover.hide();
    if (event.key !== "Enter" || event.target !== find("map")) return;
    if (mark(map.getCenter())) return;
    const hit = points.at(map.getSize().divideBy(2));
    if (hit) return open(hit).catch(tell);
    say("Nothing lies at the centre of the map.");
    if (!find("editor").hidden) return;
    // The Enter that opens the popover would press its first button.
    event.preventDefault();
    popover.show(plain(centre()), true);
  }, true);
  find("add").addEventListener("click", () => add(plain(centre())));
  find("measure").addEventListener("click", () => state.set({ mode: state.mode === "measure" ? null : "measure" }));
  find("area").addEventListener("click", () => area.press((each) => each.press()));
  on(state, ["mode"], () => { if (state.mode === "measure") measure.use(() => {}); });
}

const plain = ({ lat, lng }) => ({ lat, lng });
