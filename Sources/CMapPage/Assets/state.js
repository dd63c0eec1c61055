// SPDX-License-Identifier: Apache-2.0
// @ts-check

/**
 * @typedef {{ lat: number, lng: number }} Place
 * @typedef {{ zoom: number, lat: number, lng: number, given: boolean, kind: string[], user: string, source: string,
 *   open: string, order: string, query: string, radius: number, area: Place[], selected: string | null,
 *   mode: string | null }} Values
 * `given`: whether an address or a person chose the view. `order`: "near", "recent" or "rated". `radius`: in km, for
 * "rated". `mode`: "add", "measure" or "area".
 */

/** @type {Values} */
export const initial = { zoom: 2, lat: 20, lng: 20, given: false, kind: [], user: "", source: "", open: "", order: "near",
  query: "", radius: 0, area: [], selected: null, mode: null };

/** @param {unknown} a @param {unknown} b */
const isEqual = (a, b) => a === b || typeof a === "object" && JSON.stringify(a) === JSON.stringify(b);

/// Everything that a person has chosen on the page. Modules change it by `set` and hear its event "change", whose detail
/// has the names of the changed values and all values before. The event "hover" tells the id under the pointer, or null.
export class State extends EventTarget {
  /** @param {Partial<Values>} values */
  constructor(values = {}) {
    super();
    /** @type {Values} */
    this.values = { ...initial, ...values };
  }

  get selected() { return this.values.selected; }
  get mode() { return this.values.mode; }
  get query() { return this.values.query; }
  get order() { return this.values.order; }
  get radius() { return this.values.radius; }
  get open() { return this.values.open; }
  get area() { return this.values.area; }
  get kind() { return this.values.kind; }
  get user() { return this.values.user; }
  get source() { return this.values.source; }
  get zoom() { return this.values.zoom; }
  get lat() { return this.values.lat; }
  get lng() { return this.values.lng; }
  get given() { return this.values.given; }

  /// The values by which the service chooses landmarks.
  get filters() {
    const { kind, user, source } = this.values;
    return { kind, user, source };
  }

  /// Whether a landmark matches the filters.
  /** @param {{ kind?: string, user?: string, source?: { name: string } | null }} landmark */
  passes(landmark) {
    const { kind, user, source } = this.values;
    return (!kind.length || kind.includes(landmark.kind ?? "")) && (!user || landmark.user === user) && (!source || landmark.source?.name === source);
  }

  /// Tells all changes of one call in one event, and nothing if all values are as before.
  /** @param {Partial<Values>} changes */
  set(changes) {
    const before = this.values, entries = Object.entries(changes);
    const names = new Set(entries.filter(([name, value]) => !isEqual(value, before[/** @type {keyof Values} */ (name)])).map(([name]) => name));
    if (!names.size) return;
    this.values = { ...before, ...Object.fromEntries(entries.filter(([name]) => names.has(name))) };
    this.dispatchEvent(new CustomEvent("change", { detail: { names, before } }));
  }

  /** @param {string | null} id */
  hover(id) { this.dispatchEvent(new CustomEvent("hover", { detail: id })); }
}

/// Calls `handler` after a change of one of these values.
/** @param {State} state @param {string[]} names @param {(before: Values) => void} handler */
export function on(state, names, handler) {
  state.addEventListener("change", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (names.some((name) => detail.names.has(name))) handler(detail.before);
  });
}
