// SPDX-License-Identifier: Apache-2.0
// @ts-check

/** @typedef {{ id: string, name: string, lat: number, lng: number, kind?: string, user?: string, source?: { name: string } }} Landmark */

/// The rows of a list, and where it goes on. Changes are shown in them at once, before the service is asked again.
export class Rows {
  /** @type {Map<string, Landmark>} */
  byID = new Map();
  /** The cursor of the next page; null if these are all. @type {string | null} */
  cursor = null;
  /// Whether there are more that no cursor leads to.
  isCut = false;
  /// How many there are in all; 0 if nobody has said so.
  total = 0;
  /// The distance of the last row, as it was drawn.
  far = Infinity;

  /// - `metres`: returns the distance of a landmark, if the nearest are first.
  /** @param {((landmark: Landmark) => number) | null} metres */
  constructor(metres = null) { this.metres = metres; }

  get isComplete() { return !this.cursor && !this.isCut; }

  /// The landmarks in their order. Moves since the service was asked change the order of the nearest.
  get all() {
    const { metres } = this, all = [...this.byID.values()];
    if (!metres) return all;
    const sorted = all.map((each) => ({ each, far: metres(each) })).sort((a, b) => a.far - b.far);
    this.far = sorted.at(-1)?.far ?? Infinity;
    return sorted.map(({ each }) => each);
  }

  /** @param {{ landmarks: Landmark[], cursor?: string | null, truncated?: boolean }} page @param {number} [limit] */
  add({ landmarks, cursor = null, truncated = false }, limit = Infinity) {
    for (const each of landmarks) this.byID.set(each.id, each);
    this.cursor = cursor;
    // A search has no cursor.
    this.isCut = truncated || !cursor && landmarks.length >= limit;
  }

  /// Returns whether a change may concern the rows, so that the service has to be asked.
  ///
  /// - `isNew`: whether a landmark that has no row may get one at once.
  /// - `matches`: whether it matches what the list was asked for.
  /** @param {{ op: string, landmark?: Landmark, before?: Landmark }} change @param {boolean} isNew @param {(landmark: Landmark) => boolean} matches */
  apply({ op, landmark, before }, isNew, matches) {
    const now = landmark ?? before;
    if (!now) return false;
    const known = this.byID.get(now.id), isWanted = op !== "removed" && matches(now);
    if (known) {
      if (isWanted) this.byID.set(now.id, { ...known, ...now }); else this.byID.delete(now.id);
      return true;
    }
    if (!isWanted) return Boolean(before && matches(before));
    if (!this.isComplete && this.metres && this.metres(now) > this.far) return false;
    if (isNew && this.metres) this.byID.set(now.id, now);
    return true;
  }

  /// Returns how many there are, as far as that is known: `isMore` says that there are more than this number.
  get count() {
    const count = this.byID.size;
    return this.isComplete ? { count, isMore: false } : this.total ? { count: Math.max(count, this.total), isMore: false } : { count, isMore: true };
  }
}

/// Brings the children of a list into an order with as few steps as possible, so that the browser keeps its scroll
/// position, and the focused element its focus.
/** @param {any} list @param {any[]} items */
export function arrange(list, items) {
  const wanted = new Set(items);
  for (const each of [...list.children]) if (!wanted.has(each)) each.remove();
  let next = list.firstElementChild;
  for (const item of items) {
    // A row that went down makes one step, instead of all rows below it.
    if (next && next !== item && next.nextElementSibling === item) {
      const passed = next;
      next = item;
      passed.remove();
    }
    if (next === item) next = item.nextElementSibling; else list.insertBefore(item, next);
  }
}
