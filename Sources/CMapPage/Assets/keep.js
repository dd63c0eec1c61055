// SPDX-License-Identifier: Apache-2.0

/// Returns the text that the browser keeps under a name; null if there is none, or if storage is forbidden.
export function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

/// Keeps a text under a name. If storage is forbidden or full, the text is known for this page only.
export function store(name, text) {
  try { localStorage.setItem(name, text); } catch { /* As above. */ }
}
