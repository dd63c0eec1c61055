// SPDX-License-Identifier: Apache-2.0

import { asPerson, isOwn } from "./account.js";
import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element, name } from "./dom.js";
import { holds, rings } from "./fence.js";
import { form } from "./form.js";
import { colour, font } from "./layer.js";
import { line } from "./mercator.js";
import { say } from "./notice.js";
import { mayAdd, mayChange } from "./session.js";
import { share } from "./shares.js";
import { on } from "./state.js";
import { task } from "./task.js";
import { count } from "./words.js";

const most = 100, page = 1000, mostCounted = 10000;
const tell = (error) => say(error.message);

/// The areas that are kept under names. Once asked for, they are drawn until the person ends it; one may be watched.
export class Fences {
  #all = [];
  #watched = null;
  #told = [];
  #timer = 0;

  constructor(map, overlay, state) {
    Object.assign(this, { map, state });
    this.redraw = overlay.add(() => !this.#all.length, (pen, project) => this.#draw(pen, project));
    on(state, ["mode"], () => this.#show());
  }

  /// Returns places around what is watched, for the stream of changes.
  corners() { return this.#watched?.rings.flat() ?? []; }

  /// Lists all, and counts who is in them. The person may choose one, which is then watched.
  async open() {
    const { fences, next } = await api.fences({ limit: most });
    this.#all = fences.map((each) => this.#made(each));
    this.#watched = this.#all.find(({ id }) => id === this.#watched?.id);
    let isOpen = true;
    const asked = dialog("Kept areas", (close) => element("div", {}, ...this.#all.map((fence) => this.#row(fence, close)),
      element("p", {}, next ? `The first ${most} are listed.` : fences.length ? "" : "Draw an area, then choose Keep."),
      button("Close", () => close()))).then((chosen) => {
      isOpen = false;
      if (chosen) this.#watch(chosen); else this.#show();
    });
    this.redraw();
    for (const fence of this.#all) if (isOpen) await this.#count(fence);
    return asked;
  }

  /// Asks for the name of an area, keeps it, and watches it.
  keep(within) {
    return asPerson(async (user) => {
      const kept = await form("Keep this area", [{ name: "name", label: "Its name, which others see", required: true, maxLength: 64 }], "Keep",
        ({ name }) => api.keepFence({ name, within }, user));
      if (!kept) return;
      this.#all = [...this.#all.filter((each) => each.name !== kept.name), this.#made(kept)];
      this.state.set({ area: [], mode: null });
      this.#watch(this.#all.at(-1));
    });
  }

  #made(fence) { return { ...fence, rings: rings(fence), ids: null, told: element("span") }; }

  #row(fence, close) {
    const remove = () => asPerson((user) => api.removeFence(fence.name, user).then(() => {
      this.#all = this.#all.filter((each) => each !== fence);
      if (this.#watched === fence) this.#watched = null;
      row.remove();
      this.redraw();
    }, tell));
    const row = element("div", { className: "row" }, button(name(fence.name), () => close(fence), { className: "plain" }), fence.told,
      mayAdd() ? button("Link that ends", () => share({ title: fence.name, fence: fence.name }), { "aria-label": `Link to ${fence.name} that ends` }) : "",
      mayChange(fence) ? button("Remove", remove, { "aria-label": `Remove ${fence.name}` }) : "");
    return row;
  }

  #watch(fence) {
    [this.#watched, this.#told] = [fence, []];
    const places = line(fence.rings.flat(), this.map.getCenter().lng);
    if (places.length) this.map.fitBounds(L.latLngBounds(places), { padding: [60, 60], maxZoom: 16, animate: false });
    this.#show();
    this.#count(fence);
  }

  #show() {
    this.redraw();
    const fence = this.#watched;
    if (!this.#all.length || this.state.mode) return task("fence");
    task("fence", ...fence ? [name(fence.name), fence.told] : [count(this.#all.length, "kept area")],
      button("Kept areas", () => this.open().catch(tell)), button("Done", () => {
        [this.#all, this.#watched] = [[], null];
        this.#show();
      }));
  }

  /// Asks who is in a fence, and tells what came and went since the last answer. Changes that come meanwhile are applied
  /// to the answer.
  async #count(fence) {
    const missed = fence.missed = [], before = fence.ids, found = new Map(), { lat, lng } = fence.rings[0]?.[0] ?? { lat: 0, lng: 0 };
    let cursor;
    try {
      do {
        const told = await api.near({ lat, lng: lng - 360 * Math.round(lng / 360), limit: page, fence: fence.name, cursor });
        for (const each of told.landmarks) found.set(each.id, each);
        ({ cursor } = told);
      } while (cursor && found.size < mostCounted);
    } catch (error) {
      if (fence.missed === missed) fence.missed = null;
      return tell(error);
    }
    // Another count has begun.
    if (fence.missed !== missed) return;
    Object.assign(fence, { ids: new Set(found.keys()), missed: null, end: cursor ? " or more" : "" });
    if (before) {
      for (const [id, each] of found) if (!before.has(id)) this.#tell(fence, each, "entered");
      const gone = [...before].filter((id) => !found.has(id)).length;
      if (gone) this.#tell(fence, { name: count(gone, "landmark") }, "left");
    }
    this.#say(fence);
    for (const each of missed) this.#take(fence, each);
  }

  /// Asks for what the stream did not tell, as after another history.
  renew() { if (this.#watched) this.#count(this.#watched); }

  apply(change) {
    for (const fence of this.#all) {
      if (fence.missed) fence.missed.push(change);
      else if (fence.ids) this.#take(fence, change);
    }
  }

  #take(fence, change) {
    const landmark = change.landmark ?? change.before, is = change.op !== "removed" && holds(fence, landmark);
    // The others are counted when the list is opened.
    if (is === null) return fence === this.#watched && (fence.due ||= setTimeout(() => {
      fence.due = 0;
      this.#count(fence);
    }, 1000));
    if (fence.ids.has(landmark.id) === is) return;
    fence.ids[is ? "add" : "delete"](landmark.id);
    this.#say(fence);
    if (!isOwn(change)) this.#tell(fence, landmark, is ? "entered" : "left");
  }

  #say(fence) { fence.told.textContent = count(fence.ids.size, "landmark") + fence.end; }

  /// Collects what comes to the watched area and leaves it within a second into one message.
  #tell(fence, landmark, verb) {
    if (fence !== this.#watched) return;
    this.#told.push([name(landmark.name), ` ${verb} `, name(fence.name), ". "]);
    this.#timer ||= setTimeout(() => {
      const told = this.#told;
      [this.#told, this.#timer] = [[], 0];
      if (told.length) say(told.length > 3 ? [...told.at(-1), `And ${count(told.length - 1, "other change")}.`] : told.flat());
    }, 700);
  }

  #draw(pen, project) {
    [pen.strokeStyle, pen.fillStyle, pen.font] = [colour("own"), colour("own"), font(600, 13)];
    for (const fence of this.#all) {
      pen.lineWidth = fence === this.#watched ? 3.5 : 1.5;
      for (const ring of fence.rings) {
        const points = project(ring);
        pen.beginPath();
        for (const { x, y } of points) pen.lineTo(x, y);
        pen.closePath();
        pen.stroke();
        pen.fillText(fence.name, points[0].x + 4, points[0].y - 4);
      }
    }
  }
}
