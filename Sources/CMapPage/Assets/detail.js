// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find, link } from "./dom.js";
import { mayAdd, mayChange } from "./session.js";
import * as words from "./words.js";

/// The view of one landmark: its fields, notes and history, and buttons for everything that can be done with it.
export class Detail {
  #asked = 0;
  #wantsFocus = false;

  constructor(store, edits, track, close) {
    Object.assign(this, { store, edits, track, close, id: null });
    find("detail").addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  }

  async show(id, takesFocus = true) {
    const asked = ++this.#asked;
    this.id = id;
    // If a change arrives meanwhile, it asks again without the focus, so remember that the focus is wanted.
    this.#wantsFocus ||= takesFocus;
    if (this.track.id !== id) this.track.hide();
    let landmark, opening, where, hasMoved = false;
    try {
      landmark = await api.show(id);
      hasMoved = await this.track.isKnown(id);
      where = await api.where(landmark).catch(() => null);
      if (landmark.opening_hours) opening = await this.#opening(landmark);
    } catch (error) {
      if (asked !== this.#asked) return;
      landmark = this.store.landmarks.get(id);
      if (!landmark) return this.#say(error.message);
    }
    // A later question may already have been answered.
    if (asked !== this.#asked) return;
    this.#draw(landmark, opening, where, hasMoved);
    find("browse").hidden = true;
    find("detail").hidden = false;
    if (this.#wantsFocus) find("detail").focus();
    this.#wantsFocus = false;
    return landmark;
  }

  hide() {
    this.#asked += 1;
    this.#wantsFocus = false;
    this.id = null;
    this.track.hide();
    find("detail").hidden = true;
    find("browse").hidden = false;
  }

  #say(text) {
    find("browse").hidden = true;
    find("detail").hidden = false;
    find("detail").replaceChildren(this.#back(), element("p", {}, text));
  }

  #back() { return element("button", { type: "button", className: "plain", onclick: this.close }, "← All landmarks"); }

  /// Returns the state of the opening hours, which only the query service knows; null if the landmark is gone.
  async #opening({ id, lat, lng }) {
    const page = await api.near({ lat, lng, radius: 0, hours: "now", limit: 200 }).catch(() => ({ landmarks: [] }));
    return page.landmarks.find((each) => each.id === id)?.opening;
  }

  #trackButton(id) {
    const isShown = () => this.track.id === id;
    const made = element("button", { type: "button", "aria-pressed": String(isShown()), onclick: () => {
      if (isShown()) this.track.hide(); else this.track.show(id);
      made.setAttribute("aria-pressed", String(isShown()));
    } }, "Show track");
    return made;
  }

  #draw(landmark, opening, where, hasMoved) {
    const button = (label, action, className = "") =>
      element("button", { type: "button", className, onclick: action }, label);
    const fields = [
      ["Kind", words.kind(landmark.kind)], ["Place", words.place(landmark)],
      ["Where", where?.text && `${where.text} (${where.attribution})`],
      ["Link", landmark.link && link(landmark.link)], ["Rating", words.rating(landmark)],
      ["Address", landmark.address], ["Phone", landmark.phone], ["Opening hours", landmark.opening_hours],
      ["Now", opening && words.opening(opening) + (opening.zone_assumed && opening.state !== "unknown" ? `, in the assumed time zone ${opening.zone}` : "")],
      ["Added by", landmark.user ?? landmark.source?.name], ["Added", landmark.created && words.time(landmark.created)],
      ["Changed", landmark.updated && words.time(landmark.updated)],
    ].filter(([, value]) => value);
    // When somebody else's change redraws the view, the focus stays on the same button.
    const buttons = () => [...find("detail").querySelectorAll("button")], at = buttons().indexOf(document.activeElement);
    find("detail").replaceChildren(
      this.#back(), element("h2", {}, landmark.name),
      element("dl", {}, ...fields.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      element("div", { className: "row" },
        ...(mayChange(landmark) ? [
          button("Edit", () => this.edits.edit(landmark)), button("Move here", () => this.edits.moveHere(landmark)),
          button("Remove", () => this.edits.remove(landmark), "bad")] : []), hasMoved ? this.#trackButton(landmark.id) : ""),
      element("h3", {}, "Notes"),
      ...(landmark.notes ?? []).map((note) => element("div", { className: "note" }, note.text,
        element("div", { className: "small" }, [note.user, words.time(note.at)].filter(Boolean).join(", ")),
        mayChange(note) ? element("div", { className: "row" },
          button("Edit note", () => this.edits.note(landmark, note)),
          button("Remove note", () => this.edits.removeNote(landmark, note))) : "")),
      mayAdd() ? button("Add a note", () => this.edits.note(landmark)) : "",
      element("h3", {}, "History"),
      element("ul", {}, ...(landmark.history ?? []).map((entry) => element("li", { className: "small" },
        [entry.op, entry.user && `by ${entry.user}`, entry.changed?.length && `(${entry.changed.join(", ")})`,
          words.time(entry.at)].filter(Boolean).join(" ")))));
    buttons()[at]?.focus();
  }
}
