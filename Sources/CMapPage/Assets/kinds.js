// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { element, find } from "./dom.js";
import * as words from "./words.js";

const key = "waymark-kinds", mostKept = 8, mostChosen = 20;
let lately = [];
try { lately = JSON.parse(localStorage.getItem(key) ?? "[]").filter((each) => typeof each === "string").slice(0, mostKept); }
catch { /* Storage may be forbidden: what was chosen is then known for this page only. */ }

/// Returns the words of a text in lower case and without accents.
const spelled = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/// Lets a person choose kinds from tiles in a dialog. The service searches for kinds while the person types into the
/// search box. Recently chosen kinds come first, then kinds on the map.
export class Kinds {
  #asked = null;
  #labels = new Map();
  #first = [];

  constructor(store, view, changed) {
    Object.assign(this, { store, view, changed });
    find("kind").addEventListener("click", () => this.#open());
    this.#show();
  }

  get #chosen() { return this.view.filters.kind; }

  #label(name) { return this.#labels.get(name) ?? words.kind(name).replace(/^./u, (letter) => letter.toUpperCase()); }

  #show() {
    const [first, ...others] = this.#chosen;
    find("kind").textContent = first === undefined ? "All" : this.#label(first) + (others.length ? ` + ${others.length}` : "");
  }

  #open() {
    const dialog = find("dialog");
    this.#first = [...this.#chosen, ...lately];
    this.search = element("input", { type: "search", placeholder: "Search kinds, such as petrol", autocomplete: "off", maxLength: 60 });
    this.search.setAttribute("aria-label", "Search kinds");
    this.search.addEventListener("input", () => this.#find());
    this.search.addEventListener("keydown", (event) => this.#typed(event));
    this.grid = element("div", { className: "tiles", role: "group", "aria-label": "Kinds", onkeydown: (event) => this.#move(event) });
    this.told = element("p", { className: "small", role: "status" });
    dialog.replaceChildren(element("div", { className: "kinds" },
      element("h2", { id: "dialog-title" }, "Kinds"), this.search, this.told, this.grid,
      element("div", { className: "row" },
        element("button", { type: "button", className: "chief", onclick: () => dialog.close() }, "Done"),
        element("button", { type: "button", onclick: () => this.#all() }, "All kinds"))));
    if (!dialog.open) dialog.showModal();
    this.search.focus();
    this.#find();
  }

  async #find() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    const text = this.search.value.trim(), { signal } = this.#asked;
    let table = [];
    try {
      ({ kinds: table } = await api.kinds({ q: text }, signal));
    } catch (error) {
      if (error.name === "AbortError") return;
    }
    if (signal.aborted) return;
    for (const { kind, label } of table) this.#labels.set(kind, label);
    this.#draw(text, table.map(({ kind }) => kind));
    this.#show();
  }

  /// Draws the kinds that the service found, then kinds that only the map has if one of their words begins with `text`.
  #draw(text, table) {
    const typed = spelled(text), here = [...this.store.words.kind, ...this.#first].filter((kind) => !this.#labels.has(kind));
    const others = here.filter((kind) => typed.every((word) => spelled(words.kind(kind)).some((each) => each.startsWith(word))));
    const rank = (kind) => (this.#first.includes(kind) ? 0 : this.store.words.kind.has(kind) ? 1 : 2);
    const found = [...new Set([...table, ...others])].sort((a, b) => rank(a) - rank(b));
    this.grid.replaceChildren(...found.map((kind, index) => this.#tile(kind, index)));
    this.told.textContent = found.length ? words.count(found.length, "kind") : "No kind has such a word.";
  }

  #tile(kind, index) {
    const label = this.#label(kind), mark = element("span", { className: "letter", "aria-hidden": "true" }, [...label][0] ?? "");
    mark.style.setProperty("--hue", [...kind].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7));
    const tile = element("button", { type: "button", className: "tile", tabIndex: index ? -1 : 0,
      "aria-pressed": String(this.#chosen.includes(kind)), onclick: () => this.#toggle(kind, tile) },
    mark, element("span", {}, label));
    return tile;
  }

  #toggle(kind, tile) {
    const isChosen = this.#chosen.includes(kind);
    if (!isChosen && this.#chosen.length >= mostChosen) return;
    this.view.filters.kind = isChosen ? this.#chosen.filter((each) => each !== kind) : [...this.#chosen, kind];
    tile.setAttribute("aria-pressed", String(!isChosen));
    if (!isChosen) {
      lately = [kind, ...lately.filter((each) => each !== kind)].slice(0, mostKept);
      try { localStorage.setItem(key, JSON.stringify(lately)); } catch { /* As above. */ }
    }
    this.#show();
    this.changed();
  }

  #all() {
    this.view.filters.kind = [];
    for (const tile of this.grid.children) tile.setAttribute("aria-pressed", "false");
    this.#show();
    this.changed();
  }

  async #typed(event) {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      this.#focus(0);
    } else if (event.key === "Enter" && this.search.value.trim()) {
      event.preventDefault();
      // The tiles may still be those for an older text.
      await this.#find();
      this.grid.firstElementChild?.click();
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
