// SPDX-License-Identifier: Apache-2.0
// @ts-check

/// Reads the service's events from the pieces of a body, because a browser's own reader of events sends no secret in a
/// header.
export class EventReader {
  #rest = "";

  /// Returns the events that are complete with this piece.
  /** @param {string} piece @returns {{ name: string, data: any }[]} */
  read(piece) {
    const parts = (this.#rest + piece).split("\n\n");
    this.#rest = parts.pop() ?? "";
    return parts.map((part) => {
      const line = (/** @type {string} */ name) => part.split("\n").find((each) => each.startsWith(name))?.slice(name.length);
      return { name: line("event: ") ?? "", data: JSON.parse(line("data: ") ?? "null") };
    });
  }
}
