// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { find } from "./dom.js";
import { ListView } from "./listview.js";
import { say } from "./notice.js";
import { openIDs } from "./opennow.js";
import { Rows } from "./rows.js";
import { load, save } from "./saved.js";
import { rank } from "./settings.js";
import { on } from "./state.js";
import * as words from "./words.js";

const step = 100, most = 2000, pageRows = 1000, pace = 500;
/// The least time between two results that are kept.
const rest = 5000;

/// The list beside the map, which replaces the map for people who cannot see it. The service decides which landmarks
/// are the nearest, the latest, the best, or match a search. More are requested when a person scrolls to them. A change
/// is shown at once, and makes the list ask again, at most twice a second.
///
/// Events: "answer", whose detail is the answer, after each answer.
export class List extends EventTarget {
  /// The ids of the landmarks of the view that are known to be open, which tiles do not contain; null unless the filter
  /// asks for them, and if there are too many to know.
  openIDs = null;
  /// Whether the rows are the answer to what was asked last. After a failure they are older.
  isAnswered = false;
  #rows = new Rows();
  #from = null;
  /// The spot whose landmarks are listed, as `{ lat, lng, radius, count }`; null otherwise.
  #spot = null;
  #saved = null;
  #openings = new Map();
  #due = 0;
  #isAsking = null;
  #asked = 0;
  #looks = 0;
  /// Whether the next answer may be about another place, so that it begins with its first rows.
  #isOther = false;

  /// - `origin`: returns the place from which distances count.
  constructor(state, store, tiles, origin, map) {
    super();
    Object.assign(this, { state, store, tiles, origin, map, keptAt: 0 });
    this.view = new ListView(state, () => this.#more());
    find("list").addEventListener("click", ({ target }) => {
      const id = target.closest("button")?.dataset.id, saved = this.#saved?.landmarks.find((each) => each.id === id);
      if (saved && !store.landmarks.has(id)) store.put(saved);
      if (id) state.set({ selected: id });
    });
    on(state, ["kind", "user", "source", "open", "order", "radius", "query"], () => this.#turn(null));
    state.addEventListener("settings", () => this.draw());
    state.addEventListener("saved", () => {
      state.set({ selected: null });
      if (this.last) this.showSaved(); else say("Nothing is saved yet: the last result is kept for the next visit.");
    });
    find("all").addEventListener("click", () => this.#turn(null));
  }

  /// Begins to ask, once it is known who asks and where the map is.
  start() {
    this.last = load();
    this.renew(0);
  }

  /// The landmarks that a search found; null without a search.
  get hits() { return this.state.query && !this.#spot ? this.#rows.all : null; }

  /// Lists the landmarks at a spot, all of them, until something else is asked for.
  showSpot(spot) { return this.#turn(spot); }

  /// Lists the last result of the last visit.
  showSaved() {
    if (!this.last) return;
    this.#saved = this.last;
    this.draw();
  }

  /// Hears that the map was moved. The order of the nearest changes with it, unless distances count from elsewhere.
  moved(isElsewhere) {
    if (!isElsewhere && !this.#spot && !this.state.query) {
      this.#isOther = true;
      return this.renew(150);
    }
    this.#drawSoon();
    clearTimeout(this.lookDue);
    this.lookDue = setTimeout(() => this.#look(), 300);
  }

  #turn(spot) {
    [this.#spot, this.#saved, this.isAnswered] = [spot, null, false];
    find("list").scrollTop = 0;
    return this.now(true);
  }

  /// Waits for the answer to what was asked last.
  get settled() { return this.#isAsking ?? Promise.resolve(); }

  /// Requests the list again after a short time. A long list is requested less often, unless it is about another place.
  renew(after = pace) {
    if (this.last === undefined) return;
    const least = this.#isOther ? 1 : this.state.query ? 2 : Math.ceil(this.#rows.byID.size / step);
    const at = Math.max(Date.now() + after, this.#asked + pace * Math.max(1, least));
    if (this.#due && this.dueAt <= at) return;
    clearTimeout(this.#due);
    this.dueAt = at;
    this.#due = setTimeout(() => {
      this.#due = 0;
      if (document.hidden || this.#isAsking) return this.renew();
      this.now(this.#isOther);
    }, at - Date.now());
  }

  /// Requests the list. Another question replaces one that is not answered.
  async now(isOther = false) {
    if (this.last === undefined) return;
    this.#isOther = false;
    const isOver = () => this.#isAsking !== asked, asked = this.#isAsking = (async () => {
      // `asked` has to be known first.
      await null;
      await this.#ask(isOther, isOver);
      if (!isOver()) this.#isAsking = null;
    })();
    return asked;
  }

  async #ask(isOther, isOver) {
    this.#asked = Date.now();
    const { state } = this, isNearest = Boolean(this.#spot) || state.order === "near" && !state.query;
    const from = this.#spot ?? this.origin(), wanted = isOther ? step : Math.max(step, this.#rows.byID.size);
    const rows = new Rows(isNearest ? (each) => words.metres(this.#spot ?? this.origin(), each) : null), openings = new Map();
    let page;
    try {
      do {
        const limit = Math.min(pageRows, wanted - rows.byID.size);
        page = await this.#page(from, limit, rows.cursor);
        if (isOver()) return;
        this.#take(page, rows, openings, limit);
      } while (rows.cursor && rows.byID.size < wanted);
    } catch (error) {
      if (isOver()) return;
      if (!this.#from && !this.#saved) {
        this.showSaved();
        this.isAway = true;
      }
      const isInvalid = error.code === "invalid";
      if (isInvalid || !this.isAnswered && !this.#saved) find("count").textContent = isInvalid ? error.message : "";
      if (!isInvalid) this.renew(2000);
      return;
    }
    const isPlain = !this.#spot && !state.query && !state.open && state.order !== "rated";
    rows.total = this.#spot?.count ?? (isPlain && !isOther ? this.#rows.total : 0);
    [this.#rows, this.#from, this.#openings, this.isAnswered] = [rows, from, openings, true];
    if (this.isAway) [this.isAway, this.#saved] = [false, null];
    if (page.landmarks.length && !page.keptAt && !this.#saved && Date.now() - this.keptAt > rest) {
      this.keptAt = Date.now();
      save(this.#title(), rows.all);
    }
    this.draw();
    this.dispatchEvent(new CustomEvent("answer", { detail: page }));
    if (isPlain && !rows.isComplete) this.#count(rows);
    this.#look();
  }

  #page(from, limit, cursor) {
    const { state } = this, place = { lat: from.lat, lng: from.lng };
    const asked = { ...state.filters, limit, cursor, ...(state.open ? { open: "now" } : { hours: "now" }) };
    if (this.#spot) return api.near({ ...asked, ...place, radius: this.#spot.radius });
    if (state.query) return api.search({ ...state.filters, ...place, q: state.query, limit });
    if (state.order === "recent") return api.recent(asked);
    return api.near({ ...asked, ...rank(state), ...place });
  }

  #take(page, rows, openings, limit) {
    for (const { id, opening } of page.landmarks) openings.set(id, opening);
    rows.add({ ...page, landmarks: this.store.putPage(page) }, this.state.query && !this.#spot ? limit : Infinity);
    this.#renewWhenOneOpens(openings, page.opening_at);
  }

  /// Appends what follows the last row.
  async #more() {
    const rows = this.#rows, count = rows.byID.size;
    if (rows.isComplete || this.#isAsking || this.#saved || count >= most) return;
    // A search has no cursor, but may list more from the start.
    if (!rows.cursor) return count < pageRows && this.#longer(rows);
    try {
      const page = await this.#page(this.#from, Math.min(step, most - count), rows.cursor);
      if (rows !== this.#rows) return;
      this.#take(page, rows, this.#openings);
      this.draw();
    } catch { /* The next scrolling asks again. */ }
  }

  async #longer(rows) {
    const page = await this.#page(this.#from, pageRows).catch(() => null);
    if (!page || rows !== this.#rows) return;
    this.#take(page, rows, this.#openings, pageRows);
    this.draw();
  }

  /// Learns what is open in the view of the map, which is not what the list has.
  async #look() {
    const asked = this.#asked, look = (this.#looks += 1), ids = this.state.open ? await openIDs(this.map, this.state.filters) : null;
    if (asked !== this.#asked || look !== this.#looks || !this.state.open && ids || !ids && !this.openIDs) return;
    this.openIDs = ids;
    this.#tellCount();
    this.dispatchEvent(new CustomEvent("answer", { detail: {} }));
  }

  /// Requests the list again when the first of these landmarks opens or closes.
  #renewWhenOneOpens(openings, at) {
    clearTimeout(this.opens);
    const times = [...openings.values()].map((opening) => Date.parse(opening?.until)).filter(Number.isFinite);
    if (!times.length) return;
    const wait = Math.min(...times) - Date.parse(at);
    this.opens = setTimeout(() => this.renew(), Math.min(Math.max(wait, 1000), 3600000));
  }

  /// Counts all landmarks that match the filters, by requesting the tile of the whole world. This may take long.
  async #count(rows) {
    const { count } = await this.tiles.whole(0, 0, 0);
    if (rows !== this.#rows || rows.total === count) return;
    rows.total = count;
    this.#tellCount();
  }

  apply(change) {
    const { state } = this, spot = this.#spot;
    const matches = (landmark) => state.passes(landmark) && (!spot || words.metres(spot, landmark) <= spot.radius);
    // A landmark too far away for the list counts too.
    this.countDue ||= setTimeout(() => {
      this.countDue = 0;
      if (this.#rows.total && !this.#spot) this.#count(this.#rows);
    }, 5000);
    if (!this.#rows.apply(change, !state.open && !state.query, matches)) return;
    this.#drawSoon();
    this.renew();
  }

  #drawSoon() { this.drawDue ||= setTimeout(() => { this.drawDue = 0; this.draw(); }, 200); }

  /// A name for the result, for the time when it is no longer the present one.
  #title() {
    const { query, kind, user, source } = this.state, about = [kind.map(words.kind).join(", "), user, source].filter(Boolean).join(", ");
    return [query ? `“${query}”` : "Landmarks", about, `near ${words.place(this.#from)}`].filter(Boolean).join(" · ");
  }

  #tellCount() {
    const { count, isMore } = this.#rows.count, head = this.#spot ? "At this spot: " : this.state.query ? "Found: " : "";
    const text = this.#saved ? `${this.#saved.title} · ${words.time(this.#saved.at)}`
      : head + (isMore ? `${head ? "m" : "M"}ore than ` : "") + words.count(count, "landmark")
        + (this.openIDs ? ". Pale on the map: not known to be open." : "");
    if ((this.isAnswered || this.#saved) && find("count").textContent !== text) find("count").textContent = text;
    find("all").hidden = !this.#spot && !this.#saved;
  }

  draw() {
    const rows = this.#saved?.landmarks ?? this.#rows.all;
    this.view.draw(rows, this.origin(), this.#openings, !this.#saved && !this.#rows.isComplete);
    this.#tellCount();
  }
}
