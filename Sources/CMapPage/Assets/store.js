// SPDX-License-Identifier: Apache-2.0

/// The landmarks that the page knows, kept by the stream. Watchers hear of many changes at once, once a frame.
export class Store extends EventTarget {
  landmarks = new Map();
  rev = 0;
  #touched = new Set();
  #due = false;
  #fresh = null;

  /// A snapshot comes: it replaces all that was known when it is whole, so that nothing vanishes meanwhile.
  begin() { this.#fresh = new Map(); }

  take(landmark) { (this.#fresh ?? this.landmarks).set(landmark.id, landmark); }

  synced(rev) {
    if (this.#fresh) {
      for (const id of this.landmarks.keys()) this.#touched.add(id);
      this.landmarks = this.#fresh;
      for (const id of this.landmarks.keys()) this.#touched.add(id);
      this.#fresh = null;
    }
    this.rev = rev;
    this.tell();
  }

  apply(change) {
    const landmark = change.op === "removed" ? null : change.landmark;
    const id = (change.landmark ?? change.before)?.id;
    if (id === undefined || change.rev <= this.rev) return;
    this.rev = change.rev;
    if (landmark) this.landmarks.set(id, landmark); else this.landmarks.delete(id);
    this.#touched.add(id);
    this.tell();
  }

  tell() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      const touched = this.#touched;
      this.#touched = new Set();
      this.dispatchEvent(new CustomEvent("change", { detail: touched }));
    });
  }
}
