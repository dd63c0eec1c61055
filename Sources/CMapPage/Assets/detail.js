// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { button, element, find, turn } from "./dom.js";
import { grouped } from "./history.js";
import { mayChangeNote } from "./account.js";
import { copy } from "./notice.js";
import { link, morph } from "./nodes.js";
import { openPhones } from "./phones.js";
import { mayAdd, mayChange } from "./session.js";
import { share } from "./shares.js";
import { on } from "./state.js";
import { Track } from "./track.js";
import * as words from "./words.js";

const fewest = 100, most = 1000;
/// The number of entries of the history that have their changed fields.
const detailed = 20;

/// The view of the selected landmark: its fields, notes and history, and buttons for everything that can be done with
/// it. It shows at once what the page knows, then what the service says, and changes only what is new.
export class Detail {
  #asked = 0;
  #due = 0;
  /// Answers about the landmark besides its fields.
  #more = {};
  #history = fewest;
  /// The place and the hours that the service was asked about.
  #place = "";

  /// - `edits`: calls an action of `Edits` by its name.
  constructor({ map, overlay, state, store, feed, edits, origin }) {
    Object.assign(this, { state, store, edits, origin, landmark: null, track: new Track(map, overlay) });
    find("detail").addEventListener("keydown", (event) => { if (event.key === "Escape") state.set({ selected: null }); });
    on(state, ["selected"], (before) => (state.selected === null ? this.#close(before.selected) : this.open()));
    const draw = () => this.landmark && this.#draw();
    state.addEventListener("settings", draw);
    addEventListener("session", draw);
    state.addEventListener("written", ({ detail: id }) => { if (id === state.selected) this.renew(); });
    feed.addEventListener("renewed", () => {
      this.renew();
      if (this.track.id) this.track.grow();
    });
    feed.addEventListener("change", ({ detail: { op, landmark, before } }) => {
      const { id } = landmark ?? before;
      if (this.track.id && id === this.track.id) this.track.grow();
      if (id !== state.selected) return;
      if (op === "removed") this.#gone(); else this.#due ||= setTimeout(() => this.renew(), 150);
    });
    if (state.selected !== null) this.open();
  }

  open() {
    [this.#more, this.#history, this.#place, this.landmark] = [{}, fewest, "", this.store.landmarks.get(this.state.selected) ?? null];
    if (this.track.id !== this.state.selected) this.track.hide();
    find("detail").replaceChildren();
    if (this.landmark) this.#draw(); else this.#say("", "Loading…");
    // A form in the panel stays before the eyes of who writes in it.
    if (find("editor").hidden) turn("detail");
    find("detail").querySelector("h2").focus({ preventScroll: true });
    this.renew();
  }

  #close(id) {
    this.#asked += 1;
    this.landmark = null;
    this.track.hide();
    const hadFocus = find("detail").contains(document.activeElement) || document.activeElement === document.body;
    if (find("editor").hidden) turn("browse");
    this.state.dispatchEvent(new CustomEvent("closed", { detail: { id, hadFocus } }));
  }

  /// Asks the service about the landmark. The questions are asked together, because each costs a round trip.
  async renew() {
    clearTimeout(this.#due);
    this.#due = 0;
    const id = this.state.selected, asked = ++this.#asked, isOver = () => asked !== this.#asked;
    if (id === null) return;
    const tell = (name) => (value) => {
      if (this.state.selected !== id) return;
      this.#more[name] = value;
      if (this.landmark) this.#draw();
    };
    const place = (landmark) => {
      const asks = landmark && [landmark.lat, landmark.lng, landmark.opening_hours].join();
      if (!asks || asks === this.#place) return;
      this.#place = asks;
      // An answer about the former place may come last.
      const present = (body) => (value) => { if (asks === this.#place) body(value); };
      api.where(landmark).then(present(tell("where")), () => {});
      if (landmark.opening_hours) this.#opening(landmark).then(present((opening) => {
        tell("opening")(opening);
        this.#renewAt(opening?.until);
      }));
    };
    place(this.landmark);
    if (!this.#more.hasMoved) this.track.isKnown(id).then(tell("hasMoved"));
    try {
      const landmark = await api.show(id, { history: this.#history });
      if (isOver()) return;
      this.landmark = landmark;
      this.store.put(landmark);
      if (!landmark.opening_hours) delete this.#more.opening;
      this.#draw();
      place(landmark);
      this.state.dispatchEvent(new CustomEvent("known", { detail: landmark }));
    } catch (error) {
      if (isOver()) return;
      if (error.code === "not_found" || error.code === "invalid") this.#gone(); else if (!this.landmark) this.#say("", error.message);
    }
  }

  /// Asks again when the landmark opens or closes.
  #renewAt(time) {
    clearTimeout(this.turns);
    const wait = Date.parse(time) - Date.now();
    if (!(wait < 86400000)) return;
    this.turns = setTimeout(() => {
      this.#place = "";
      this.renew();
    }, Math.max(1000, wait));
  }

  /// Says that the landmark is gone. Its pin goes with what the page knew of it.
  #gone() {
    this.#asked += 1;
    clearTimeout(this.#due);
    this.#due = 0;
    const id = this.state.selected, name = (this.landmark ?? this.store.landmarks.get(id))?.name;
    this.landmark = null;
    this.store.landmarks.delete(id);
    this.track.hide();
    this.#say(name ?? "", name ? "This landmark was removed." : "There is no such landmark: it may have been removed.");
    this.state.dispatchEvent(new CustomEvent("known", { detail: null }));
  }

  #say(name, text) { this.#show([this.#back(), element("h2", { tabIndex: -1, dir: "auto" }, name), element("p", { role: "status" }, text)]); }

  #back() { return button("← All landmarks", () => this.state.set({ selected: null }), { className: "plain" }); }

  /// Returns the state of the opening hours, which only the query service knows; null if the landmark is gone.
  async #opening({ id, lat, lng }) {
    const page = await api.near({ lat, lng, radius: 0, hours: "now", limit: 200 }).catch(() => ({ landmarks: [] }));
    return page.landmarks.find((each) => each.id === id)?.opening;
  }

  #trackButton(id) {
    const isShown = this.track.id === id;
    return button("Show track", () => {
      if (isShown) this.track.hide(); else this.track.show(id);
      this.#draw();
    }, { "aria-pressed": String(isShown) });
  }

  #copy() {
    const text = words.place(this.landmark);
    copy(text, `${text} was copied.`, `The position is ${text}.`);
  }

  #draw() {
    const { landmark } = this, { opening, where, hasMoved } = this.#more, { lat, lng } = landmark;
    const now = opening && words.opening(opening) + (opening.zone_assumed && opening.state !== "unknown" ? `, in the assumed time zone ${opening.zone}` : "");
    const by = [landmark.user ?? landmark.source?.name, landmark.created && words.time(landmark.created)].filter(Boolean).join(", ");
    const fields = [
      ["Place", words.place(landmark)], ["Where", where?.text], ["Address", landmark.address],
      ["Link", landmark.link && link(landmark.link)], ["Rating", words.rating(landmark)],
      ["Phone", landmark.phone], ["Opening hours", landmark.opening_hours], ["Now", now],
      ["Added by", by], ["Changed", landmark.updated !== landmark.created && landmark.updated && words.time(landmark.updated)],
    ].filter(([, value]) => value);
    const does = (action) => () => this.edits(action, this.landmark);
    this.#show([
      this.#back(), element("h2", { tabIndex: -1, dir: "auto" }, landmark.name),
      element("p", { className: "line" }, [words.kind(landmark.kind), words.away(this.origin(), landmark), opening && words.opening(opening)].filter(Boolean).join(" · ")),
      element("div", { className: "row" },
        element("a", { className: "button", href: `geo:${lat},${lng}?q=${lat},${lng}` }, "Directions"),
        button("Copy position", () => this.#copy()),
        ...(mayChange(landmark) ? [button("Edit", does("edit")), button("Move here", does("moveHere"), { className: "here" }),
          button("Phones", () => openPhones(landmark)),
          button("Link that ends", () => share({ title: landmark.name, landmark: landmark.id })),
          button("Remove", does("remove"), { className: "bad" })] : []), hasMoved ? this.#trackButton(landmark.id) : ""),
      element("dl", {}, ...fields.flatMap(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])),
      element("div", {}, ...this.#notes(landmark)),
      element("div", {}, mayAdd() ? button("Add a note", () => this.edits("note", this.landmark)) : ""),
      element("div", {}, landmark.history ? this.#past(landmark) : ""),
      element("p", { className: "small" }, where?.text ? where.attribution : ""),
    ]);
  }

  #notes({ notes = [] }) {
    const note = (id) => this.landmark.notes.find((each) => each.id === id);
    return notes.map(({ id, text, user, at, ...rest }) => element("div", { className: "note", "data-id": id, dir: "auto" }, text,
      element("div", { className: "small" }, [user, words.time(at)].filter(Boolean).join(", ")),
      mayChangeNote({ id, user, ...rest }) ? element("div", { className: "row" },
        button("Edit note", () => this.edits("note", this.landmark, note(id))),
        button("Remove note", () => this.edits("removeNote", this.landmark, note(id)))) : ""));
  }

  #past({ history, history_cut: isCut }) {
    const isOpen = find("detail").querySelector("details")?.open ?? false;
    const line = ({ op, user, changed, count, at, since }) => (count > 1
      ? `moved ${words.count(count, "time")}${user ? ` by ${user}` : ""} ${words.time(since)} – ${words.time(at)}`
      : [op, user && `by ${user}`, changed?.length && `(${changed.join(", ")})`, words.time(at)].filter(Boolean).join(" "));
    return element("details", { open: isOpen, ontoggle: () => this.#learnMoves() }, element("summary", {}, "History"),
      element("ul", {}, ...grouped(history, this.#more.moves).map((entry) => element("li", { className: "small", dir: "auto" }, line(entry)))),
      isCut && this.#history < most ? button("Older history", () => {
        this.#history = most;
        this.renew();
      }) : "");
  }

  /// Asks which of the older entries are moves. Only a reader of the history needs it.
  async #learnMoves() {
    const { landmark } = this, { moves, hasMoved } = this.#more, oldest = landmark?.history?.at(-1)?.rev;
    if (!hasMoved || landmark.history.length <= detailed || moves?.has(oldest) || moves?.oldest <= oldest) return;
    const { track } = await api.track(landmark.id, { after: oldest - 1, limit: most }).catch(() => ({ track: [] }));
    if (this.landmark?.id !== landmark.id) return;
    this.#more.moves = Object.assign(new Set(track.map(({ rev }) => rev)), { oldest });
    this.#draw();
  }

  /// Shows these elements. If the button with the focus is drawn anew, the focus goes to the new one.
  #show(elements) {
    const box = find("detail"), focused = box.contains(document.activeElement) ? document.activeElement : null;
    morph(box, element("div", {}, ...elements));
    if (!focused || focused.isConnected) return;
    const same = [...box.querySelectorAll("button, a")].find((each) => each.textContent === focused.textContent);
    (same ?? box.querySelector("h2")).focus({ preventScroll: true });
  }
}
