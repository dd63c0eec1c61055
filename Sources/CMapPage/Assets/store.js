// SPDX-License-Identifier: Apache-2.0

const most = 4000;
const mostWords = 200;

/// The landmarks whose fields the page knows, that is, those that were recently listed, found or changed. Labels, rows
/// and details need the fields; the points on the map come from tiles.
export class Store {
  landmarks = new Map();
  rev = 0;
  epoch = null;
  words = { kind: new Set(), user: new Set(), source: new Set() };

  /// Hears each change before the modules that are made later.
  constructor(feed) { feed?.addEventListener("change", ({ detail }) => this.apply(detail)); }

  put(landmark) {
    // The latest landmarks are at the end of the map, and the oldest are removed first.
    this.landmarks.delete(landmark.id);
    this.landmarks.set(landmark.id, landmark);
    if (this.landmarks.size > most) this.landmarks.delete(this.landmarks.keys().next().value);
    this.learn("kind", landmark.kind);
    this.learn("user", landmark.user);
    this.learn("source", landmark.source?.name);
  }

  learn(name, word) { if (word && this.words[name].size < mostWords) this.words[name].add(word); }

  /// Stores a page of landmarks with its revision. A page of another history replaces everything that was known.
  putPage(page) {
    if (page.epoch !== this.epoch) {
      if (this.epoch) this.landmarks.clear();
      [this.epoch, this.rev] = [page.epoch, 0];
    }
    for (const landmark of page.landmarks) this.put(landmark);
    this.rev = Math.max(this.rev, page.rev ?? 0);
    return page.landmarks;
  }

  apply(change) {
    this.rev = Math.max(this.rev, change.rev);
    const landmark = change.landmark ?? change.before;
    if (change.op === "removed") this.landmarks.delete(landmark?.id);
    else if (landmark) this.put(landmark);
  }
}
