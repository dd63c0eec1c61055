// SPDX-License-Identifier: Apache-2.0
// @ts-check

/** @typedef {{ rev: number, op: string, user?: string, at: string, changed?: string[] | null }} Entry */

/// Joins moves that follow each other by the same person into one entry with their number, so that they do not push
/// out what else was changed. Entries are the latest first: `at` is the time of the last move, `since` of the first.
///
/// - `moves`: the revisions of the track. They tell moves among older entries, which lack the changed fields.
/** @param {Entry[]} entries @param {Set<number>} [moves] @returns {(Entry & { count: number, since: string })[]} */
export function grouped(entries, moves = new Set()) {
  /** @param {Entry} entry */
  const isMove = ({ rev, op, changed }) => op === "changed" && (changed ? changed.join() === "position" : moves.has(rev));
  const groups = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && isMove(last) && isMove(entry) && last.user === entry.user) {
      last.count += 1;
      last.since = entry.at;
    } else groups.push({ ...entry, count: 1, since: entry.at });
  }
  return groups;
}
