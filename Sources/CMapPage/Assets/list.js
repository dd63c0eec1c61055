// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import * as words from "./words.js";

const most = 100;
const pace = 500;

/// The list beside the map, which replaces the map for people who cannot see it. The service decides which landmarks
/// are the nearest or the latest. A change that may be among them makes the list ask again, at most twice a second.
export class List {
  /// The landmarks that a search found or that are at one spot; null if the service chooses the landmarks.
  found = null;
  spot = null;
  #rows = [];
  #total = 0;
  #from = null;
  #due = 0;
  #isAsking = false;
  #openings = new Map();
  #opens = 0;
  /// The elements of the shown rows by id, with their texts.
  #made = new Map();
  #asked = 0;

  constructor(store, view, tiles, origin, open) {
    Object.assign(this, { store, view, tiles, origin, open });
    for (const name of ["user", "source"]) {
      find(name).addEventListener("change", () => {
        view.filters[name] = find(name).value;
        this.filtered();
      });
    }
    find("order").addEventListener("change", () => this.renew(0));
    find("hours").value = view.open ? "now" : "";
    find("hours").addEventListener("change", () => {
      view.open = find("hours").value;
      view.write();
      this.renew(0);
    });
  }

  /// Requests the list for a new filter.
  filtered() {
    this.view.write();
    this.onfilter?.();
    this.renew(0);
  }

  passes = (landmark) => {
    const { kind, user, source } = this.view.filters;
    return (!kind.length || kind.includes(landmark.kind)) && (!user || landmark.user === user)
      && (!source || landmark.source?.name === source);
  };

  /// Requests the list again after a short time.
  renew(after = pace) {
    if (this.#due) return;
    this.#due = setTimeout(async () => {
      if (this.#isAsking || document.hidden) {
        this.#due = 0;
        return this.renew();
      }
      this.#isAsking = true;
      this.#due = 0;
      await this.#ask();
      this.#isAsking = false;
    }, Math.max(after, this.#asked + pace - Date.now()));
  }

  async #ask() {
    this.#asked = Date.now();
    const hours = this.view.open ? { open: "now" } : { hours: "now" };
    const from = this.origin(), centre = this.view.map.getCenter().wrap(), isRecent = find("order").value === "recent";
    try {
      const page = await (isRecent ? api.recent({ ...this.view.filters, ...hours, limit: most })
        : api.near({ ...this.view.filters, ...hours, lat: from.lat, lng: from.lng, limit: most }));
      if (page.keptAt) this.onkept?.(page.keptAt);
      this.#rows = this.store.putPage(page).map((landmark) => landmark.id);
      this.#openings = new Map(page.landmarks.map(({ id, opening }) => [id, opening]));
      this.#renewWhenOneOpens(page);
      // The map writes the names of landmarks near its centre, not near the person.
      if (isRecent || from.lat !== centre.lat || from.lng !== centre.lng) {
        this.store.putPage(await api.near({ ...this.view.filters, lat: centre.lat, lng: centre.lng, limit: most }));
      }
      this.#from = from;
      if (page.cursor && !this.view.open) this.#count(); else this.#total = this.#rows.length;
    } catch {
      return this.renew(2000);
    }
    this.draw();
    this.onanswer?.();
  }

  /// Requests the list again when the first of these landmarks opens or closes.
  #renewWhenOneOpens({ landmarks, opening_at }) {
    clearTimeout(this.#opens);
    const times = landmarks.map(({ opening }) => Date.parse(opening?.until)).filter(Number.isFinite);
    if (!times.length) return;
    const wait = Math.min(...times) - Date.parse(opening_at);
    this.#opens = setTimeout(() => this.renew(), Math.min(Math.max(wait, 1000), 3600000));
  }

  /// Counts all landmarks that match the filters, by requesting the tile of the whole world. This may take long.
  async #count() {
    const { count } = await this.tiles.whole(0, 0, 0);
    if (this.#total === count) return;
    this.#total = count;
    this.draw();
  }

  apply(change) {
    const now = change.landmark ?? change.before, isGone = change.op === "removed";
    const swap = (all) => all?.filter((each) => !isGone || each.id !== now.id)
      .map((each) => (each.id === now.id ? { ...each, ...now } : each)) ?? null;
    if (this.found?.some((each) => each.id === now.id)) this.found = swap(this.found);
    if (this.spot?.some((each) => each.id === now.id)) this.spot = swap(this.spot);
    if (this.#concerns(now) || change.before && this.#concerns(change.before)) this.renew();
  }

  /// The ids of the landmarks that are known to be open, which tiles do not contain; null unless the filter asks for
  /// them.
  get openIDs() { return this.view.open ? new Set(this.#rows) : null; }

  #concerns(landmark) {
    if (this.#rows.includes(landmark.id) || this.#rows.length < most) return true;
    if (find("order").value === "recent") return this.passes(landmark);
    const last = this.store.landmarks.get(this.#rows.at(-1));
    return this.passes(landmark) && (!last || words.metres(this.#from, landmark) <= words.metres(this.#from, last));
  }

  draw() {
    this.#choices();
    const from = this.origin(), chosen = this.found ?? this.spot;
    const rows = (chosen ?? this.#rows.map((id) => this.store.landmarks.get(id))).filter((each) => each && this.passes(each))
      .map((landmark) => ({ landmark, metres: words.metres(from, landmark) }));
    // The results of a search are already in order, with the best match first.
    if (!this.found && find("order").value !== "recent") rows.sort((a, b) => a.metres - b.metres);
    const total = chosen ? rows.length : Math.max(rows.length, this.#total);
    const text = (this.found ? "Found: " : this.spot ? "At this spot: " : "") + words.count(total, "landmark")
      + (total > rows.length && !chosen ? `, the first ${rows.length} are listed` : "")
      + (this.view.open ? ". Pale on the map: not known to be open." : "");
    if (find("count").textContent !== text) find("count").textContent = text;
    find("all").hidden = !this.spot || Boolean(this.found);
    // Keep the elements of unchanged rows. Most rows do not change, and laying out a whole new list takes long.
    const made = new Map(rows.slice(0, most).map((row) => [row.landmark.id, this.#row(row, from)]));
    this.#made = made;
    const items = [...made.values()].map(({ item }) => item);
    if (items.length === find("list").children.length && items.every((item, place) => item === find("list").children[place])) return;
    // The focus stays on the same landmark while the list changes around it.
    const focused = document.activeElement?.dataset?.id;
    find("list").replaceChildren(...items);
    if (focused) [...find("list").querySelectorAll("button")].find((each) => each.dataset.id === focused)?.focus();
  }

  #row({ landmark, metres }, from) {
    const about = [words.opening(this.#openings.get(landmark.id)), words.kind(landmark.kind), landmark.user ?? landmark.source?.name].filter(Boolean).join(" · ");
    const far = `${words.distance(metres)} ${words.wind(words.bearing(from, landmark))}`;
    const said = [landmark.name, far, about, Boolean(landmark.source)].join("\n"), known = this.#made.get(landmark.id);
    if (known?.said === said) return known;
    const button = element("button", { type: "button", onclick: () => this.open(landmark.id) },
      element("span", { className: landmark.source ? "mark" : "mark own", "aria-hidden": "true" }),
      element("span", { className: "name" }, landmark.name),
      element("span", { className: "far" }, far),
      element("span", { className: "about" }, about || (landmark.source ? "default" : "")));
    button.dataset.id = landmark.id;
    return { said, item: element("li", {}, button) };
  }

  #choices() {
    for (const name of ["user", "source"]) {
      const found = this.store.words[name], select = find(name), chosen = this.view.filters[name];
      if (chosen) found.add(chosen);
      const wanted = [...found].sort(), present = [...select.options].slice(1).map((option) => option.value);
      if (wanted.join("\n") !== present.join("\n")) {
        select.replaceChildren(element("option", { value: "" }, "All"),
          ...wanted.map((value) => element("option", { value }, value)));
      }
      select.value = chosen;
    }
  }
}
