// SPDX-License-Identifier: Apache-2.0
// @ts-check

/** @typedef {{ op: string, user?: string, at: string, changed?: string[] | null }} Entry */

/** @param {Entry} entry */
const isMove = ({ op, changed }) => op === "changed" && changed?.length === 1 && changed[0] === "position";

/// Joins moves that follow each other by the same person into one entry with their number, so that they do not push
/// out what else was changed. Entries are the latest first: `at` is the time of the last move, `since` of the first.
/** @param {Entry[]} entries @returns {(Entry & { count: number, since: string })[]} */
export function grouped(entries) {
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
