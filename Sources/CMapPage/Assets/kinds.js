// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { dialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { label, labels, present } from "./filters.js";
import { picture } from "./glyphs.js";
import { recall, store } from "./keep.js";
import { say } from "./notice.js";
import * as words from "./words.js";

const key = "waymark-kinds", mostKept = 8, mostChosen = 20;
let lately = [];
try { lately = JSON.parse(recall(key) ?? "[]").filter((each) => typeof each === "string").slice(0, mostKept); }
catch { /* Another program may have kept what is no list. */ }

function remember(kind) {
  lately = [kind, ...lately.filter((each) => each !== kind)].slice(0, mostKept);
  store(key, JSON.stringify(lately));
}

/// Returns the words of a text in lower case and without accents.
const spelled = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/// Kinds as tiles. The service searches for kinds while the person types into the search box. Chosen and recently chosen
/// kinds come first, then kinds on the map.
class KindTiles {
  #asked = null;
  /// How many landmarks each kind has, as far as the service told it.
  #counts = new Map();

  /// - `isChosen`, `press`: called with a kind; `press` also with its tile.
  /// - `isFree`: whether a text that is no kind may be pressed as well.
  /// - `buttons`: what stands below the tiles.
  constructor({ first, isChosen, press, isFree = false, buttons }) {
    Object.assign(this, { first: [...first, ...lately], isChosen, press, isFree });
    this.search = element("input", { type: "search", placeholder: "Search kinds, such as petrol", autocomplete: "off", maxLength: 60,
      dir: "auto", "aria-label": "Search kinds", autofocus: true, oninput: () => this.find(), onkeydown: (event) => this.#typed(event) });
    this.grid = element("div", { className: "tiles", role: "group", "aria-label": "Kinds", onkeydown: (event) => this.#move(event) });
    this.told = element("p", { className: "small", role: "status" });
    this.content = element("div", { className: "kinds" }, this.search, this.told, this.grid, element("div", { className: "row" }, ...buttons));
    this.find();
  }

  async find() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    const text = this.search.value.trim(), { signal } = this.#asked;
    let table = [], problem = "";
    try {
      ({ kinds: table } = await api.kinds({ q: text }, signal));
    } catch (error) {
      problem = error.message;
    }
    if (signal.aborted) return;
    for (const each of table) {
      labels.set(each.kind, each.label);
      if (Number.isInteger(each.count)) this.#counts.set(each.kind, each.count);
    }
    this.#draw(text, table.map(({ kind }) => kind), problem);
    return !problem;
  }

  /// Draws the kinds that the service found, then kinds that only the map has if one of their words begins with `text`.
  /// After a problem nobody knows whether the text is a kind, so it cannot be pressed.
  #draw(text, table, problem) {
    const typed = spelled(text), here = [...present(), ...this.first].filter((kind) => !labels.has(kind));
    const others = here.filter((kind) => typed.every((word) => spelled(words.kind(kind)).some((each) => each.startsWith(word))));
    const rank = (kind) => (this.first.includes(kind) ? 0 : present().has(kind) ? 1 : 2);
    const found = [...new Set([...table, ...others])].sort((a, b) => rank(a) - rank(b));
    this.told.textContent = problem || (found.length ? words.count(found.length, "kind") : "No kind has such a word.");
    if (this.isFree && text && !problem && !found.some((kind) => kind === text || label(kind).toLowerCase() === text.toLowerCase())) found.push(text);
    this.grid.replaceChildren(...found.map((kind, index) => this.#tile(kind, index)));
  }

  #tile(kind, index) {
    const count = this.#counts.get(kind), told = count === undefined ? "" : words.count(count, "landmark");
    const tile = element("button", { type: "button", className: count === 0 ? "tile none" : "tile", tabIndex: index ? -1 : 0,
      "aria-pressed": String(this.isChosen(kind)), "aria-label": label(kind), "aria-description": told, title: told,
      onclick: () => this.press(kind, tile) }, told && element("small", {}, count.toLocaleString("en")), picture(kind),
      element("span", { dir: "auto" }, label(kind)));
    return tile;
  }

  async #typed(event) {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      this.#focus(0);
    } else if (event.key === "Enter" && this.search.value.trim()) {
      event.preventDefault();
      // The tiles may still be those for an older text.
      if (await this.find()) this.grid.firstElementChild?.click();
    }
  }

  /// Moves the focus within the grid by the arrow keys. The Tab key treats the grid as one stop.
  #move(event) {
    const tiles = [...this.grid.children], at = tiles.indexOf(document.activeElement);
    if (at < 0) return;
    const wide = tiles.filter((each) => each.offsetTop === tiles[0].offsetTop).length;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: wide, ArrowUp: -wide, Home: -at, End: tiles.length - 1 - at };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = at + steps[event.key];
    if (event.key === "ArrowUp" && next < 0) this.search.focus();
    else if (next >= 0 && next < tiles.length) this.#focus(next);
  }

  #focus(index) {
    const tiles = [...this.grid.children];
    if (!tiles[index]) return;
    for (const tile of tiles) tile.tabIndex = -1;
    tiles[index].tabIndex = 0;
    tiles[index].focus();
  }
}

/// Lets a person choose a kind instead of the present one, or type one that no table knows. Returns undefined if they
/// leave it, and an empty text for no kind.
export const pick = (chosen) => dialog("Kind", (close) => new KindTiles({
  first: chosen ? [chosen] : [], isChosen: (kind) => kind === chosen, isFree: true,
  press: (kind) => {
    remember(kind);
    close(kind);
  },
  buttons: [button("No kind", () => close("")), button("Cancel", () => close())],
}).content);

/// Opens the kinds, of which a person chooses those that the map and the list show.
export const openKinds = (state) => dialog("Kinds", (close) => {
  const tiles = new KindTiles({
    first: state.kind, isChosen: (kind) => state.kind.includes(kind),
    press: (kind, tile) => {
      const isChosen = state.kind.includes(kind);
      if (!isChosen && state.kind.length >= mostChosen) return say(`Choose ${mostChosen} kinds at most.`);
      if (!isChosen) remember(kind);
      tile.setAttribute("aria-pressed", String(!isChosen));
      state.set({ kind: isChosen ? state.kind.filter((each) => each !== kind) : [...state.kind, kind] });
    },
    buttons: [button("Done", () => close(), { className: "chief" }), button("All kinds", () => {
      state.set({ kind: [] });
      for (const tile of tiles.grid.children) tile.setAttribute("aria-pressed", "false");
    })],
  });
  return tiles.content;
});
