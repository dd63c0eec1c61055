// SPDX-License-Identifier: Apache-2.0

let isConnected = false;

/// Headers that allow a kept answer: only until the service has been reached.
export const keptHeaders = () => (isConnected ? {} : { "Waymark-Kept": "allowed" });

/// The time at which an answer was kept; null for a fresh one.
export function keptAt(answer) {
  const at = Number(answer.headers.get("Waymark-Kept"));
  return at ? new Date(at) : null;
}

export function connected() { isConnected = true; }

/// Installs the worker that keeps the page and its last answers. Browsers allow it on loopback and over https only.
///
/// - `tiles`: the tiles that came before the worker was in charge, with their bytes.
/// - `ask`: asks for the list again, because earlier answers were not kept.
export async function startOffline(tiles, ask) {
  const worker = navigator.serviceWorker;
  if (!worker) return;
  const kept = new Set();
  worker.addEventListener("message", (event) => {
    kept.add(event.data);
    // A mark for tests and tools: from now on the page opens without the service.
    if (kept.size === 2) document.documentElement.dataset.offline = "ready";
  });
  try {
    await worker.register("/sw.js");
    const { active } = await worker.ready;
    if (!worker.controller) await new Promise((resolve) => worker.addEventListener("controllerchange", resolve, { once: true }));
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    active.postMessage({ files: ["/", ...loaded], tiles: await tiles.held() });
    ask();
  } catch { /* Forbidden by the browser: the page works without it. */ }
}
