// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { element, name } from "./dom.js";
import { holds, rings } from "./fence.js";
import { form } from "./form.js";
import { colour, font } from "./layer.js";
import { line } from "./mercator.js";
import { say } from "./notice.js";
import { asPerson, isOwn } from "./person.js";
import { mayChange } from "./session.js";
import { on } from "./state.js";
import { task } from "./task.js";
import { count } from "./words.js";

const most = 100, page = 1000, mostCounted = 10000;
const button = (label, onclick, more = {}) => element("button", { type: "button", onclick, ...more }, label);

/// The areas that are kept under names. Once asked for, they are drawn until the person ends it; one may be watched.
export class Fences {
  #all = [];
  #watched = null;
  #isShown = false;
  #told = [];
  #timer = 0;

  constructor(map, overlay, state) {
    Object.assign(this, { map, state });
    this.redraw = overlay.add(() => !this.#isShown, (pen, project) => this.#draw(pen, project));
    on(state, ["mode"], () => this.#show());
  }

  /// Returns places around what is watched, for the stream of changes.
  corners() { return this.#watched?.rings.flat() ?? []; }

  /// Lists all. The person may choose one, which is then watched.
  async open() {
    let isOpen = true;
    try {
      const known = new Map(this.#all.map((each) => [each.id, each])), { fences, next } = await api.fences({ limit: most });
      this.#all = fences.map((each) => known.get(each.id) ?? this.#made(each));
      if (!this.#all.includes(this.#watched)) this.#watched = null;
      this.#isShown = this.#all.length > 0;
      this.#show();
      const asked = dialog("Kept areas", (close) => element("div", {}, ...this.#all.map((fence) => this.#row(fence, close)),
        element("p", {}, next ? `The first ${most} are listed.` : fences.length ? "" : "Draw an area, then choose Keep."),
        button("Close", () => close())));
      asked.then(() => { isOpen = false; });
      for (const fence of this.#all) if (isOpen) await this.#count(fence);
      const chosen = await asked;
      if (chosen) this.#watch(chosen);
    } catch (error) {
      say(error.message);
    }
  }

  /// Asks for the name of an area, keeps it, and watches it.
  keep(within) {
    return asPerson(async (user) => {
      const kept = await form("Keep this area", [{ name: "name", label: "Its name, which others see", required: true, maxLength: 64 }], "Keep",
        ({ name }) => api.keepFence({ name, within }, user));
      if (!kept) return;
      const fence = this.#made(kept);
      this.#all = [...this.#all.filter((each) => each.name !== kept.name), fence];
      this.state.set({ area: [], mode: null });
      this.#watch(fence);
    });
  }

  #made(fence) { return { ...fence, rings: rings(fence), ids: null, isMore: false, missed: null, told: element("span"), due: 0 }; }

  #row(fence, close) {
    const remove = () => asPerson(async (user) => {
      try {
        await api.removeFence(fence.name, user);
        this.#all = this.#all.filter((each) => each !== fence);
        if (this.#watched === fence) this.#watched = null;
        this.#show();
        row.remove();
        say([name(fence.name), " is kept no longer."]);
      } catch (error) {
        say(error.message);
      }
    });
    const row = element("div", { className: "row" }, button(name(fence.name), () => close(fence), { className: "plain" }), fence.told,
      mayChange(fence) ? button("Remove", remove, { "aria-label": `Remove ${fence.name}` }) : "");
    return row;
  }

  async #watch(fence) {
    [this.#watched, this.#isShown, this.#told] = [fence, true, []];
    const places = line(fence.rings.flat(), this.map.getCenter().lng);
    if (places.length) this.map.fitBounds(L.latLngBounds(places), { padding: [60, 60], maxZoom: 16, animate: false });
    this.#show();
    await this.#count(fence);
  }

  #end() {
    [this.#watched, this.#isShown] = [null, false];
    this.#show();
  }

  #show() {
    this.redraw();
    if (!this.#isShown || this.state.mode) return task("fence");
    const fence = this.#watched, text = fence ? [name(fence.name), fence.told] : [`${count(this.#all.length, "kept area")}`];
    task("fence", ...text, button("Kept areas", () => this.open()), button("Done", () => this.#end()));
  }

  /// Asks who is in a fence. Changes that come meanwhile are applied to the answer.
  async #count(fence) {
    const missed = fence.missed = [], before = fence.ids, found = new Map(), { lat, lng } = fence.rings[0]?.[0] ?? { lat: 0, lng: 0 };
    let cursor = null;
    try {
      do {
        const told = await api.near({ lat, lng: lng - 360 * Math.round(lng / 360), limit: page, fence: fence.name, cursor });
        for (const each of told.landmarks) found.set(each.id, each);
        cursor = told.cursor;
      } while (cursor && found.size < mostCounted);
    } catch (error) {
      if (fence === this.#watched) say(error.message);
    }
    if (fence.missed !== missed) return;
    [fence.ids, fence.missed, fence.isMore] = [new Set(found.keys()), null, Boolean(cursor)];
    if (before && fence === this.#watched) {
      for (const [id, each] of found) if (!before.has(id)) this.#tell(fence, each, "entered");
      const gone = [...before].filter((id) => !found.has(id)).length;
      if (gone) this.#tell(fence, { name: count(gone, "landmark") }, "left");
    }
    for (const each of missed) this.#take(fence, each);
    this.#say(fence);
  }

  /// Asks again what the stream did not tell, as after another history.
  renew() { if (this.#watched) this.#count(this.#watched); }

  apply(change) {
    for (const fence of this.#all) {
      if (fence.missed) fence.missed.push(change);
      else if (fence.ids) this.#take(fence, change);
    }
  }

  #take(fence, change) {
    const landmark = change.landmark ?? change.before, was = fence.ids.has(landmark?.id);
    if (!landmark) return;
    const is = change.op !== "removed" && holds(fence, landmark);
    if (is === null) return fence.due ||= setTimeout(() => {
      fence.due = 0;
      this.#count(fence);
    }, 1000);
    if (was === is) return;
    fence.ids[is ? "add" : "delete"](landmark.id);
    this.#say(fence);
    if (fence === this.#watched && !isOwn(change)) this.#tell(fence, landmark, is ? "entered" : "left");
  }

  #say(fence) { fence.told.textContent = ` ${count(fence.ids.size, "landmark")}${fence.isMore ? " or more" : ""}`; }

  /// Collects what comes and goes within a second into one message.
  #tell(fence, landmark, verb) {
    this.#told.push([name(landmark.name), ` ${verb} `, name(fence.name), ". "]);
    this.#timer ||= setTimeout(() => {
      const told = this.#told;
      [this.#told, this.#timer] = [[], 0];
      if (told.length) say(told.length > 3 ? [...told.at(-1), `And ${count(told.length - 1, "other change")}.`] : told.flat());
    }, 700);
  }

  #draw(pen, project) {
    [pen.strokeStyle, pen.font] = [colour("own"), font(600, 13)];
    for (const fence of this.#all) {
      pen.lineWidth = fence === this.#watched ? 3.5 : 1.5;
      for (const ring of fence.rings.map(project)) {
        pen.beginPath();
        for (const { x, y } of ring) pen.lineTo(x, y);
        pen.closePath();
        pen.stroke();
      }
      const [{ x, y } = { x: -99, y: 0 }] = project(fence.rings[0] ?? []);
      pen.fillStyle = colour("own");
      pen.fillText(fence.name, x + 4, y - 4);
    }
  }
}
