// SPDX-License-Identifier: Apache-2.0

let isConnected = false;

/// Returns the headers that allow a kept answer; none once the service has been reached.
export const keptHeaders = () => (isConnected ? {} : { "Waymark-Kept": "allowed" });

/// Returns the time at which an answer was kept; null for an answer that comes from the service.
export function keptAt(answer) {
  const at = Number(answer.headers.get("Waymark-Kept"));
  return at ? new Date(at) : null;
}

export function connected() { isConnected = true; }

/// Installs the service worker that keeps the page and its last answers. Browsers allow it only on loopback and HTTPS.
///
/// - `tiles`: the tiles that came before the worker controlled the page, with their bytes.
/// - `ask`: requests the list again, because earlier answers were not kept.
export async function startOffline(tiles, ask) {
  const worker = navigator.serviceWorker;
  if (!worker) return;
  const kept = new Set();
  worker.addEventListener("message", (event) => {
    kept.add(event.data);
    // The mark tells tests and tools that the page can now be opened without the service.
    if (kept.size === 2) document.documentElement.dataset.offline = "ready";
  });
  try {
    await worker.register("/sw.js");
    const { active } = await worker.ready;
    if (!worker.controller) await new Promise((resolve) => worker.addEventListener("controllerchange", resolve, { once: true }));
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    active.postMessage({ files: ["/", "/assets/stream.js", "/assets/later.js", ...loaded], tiles: await tiles.held() });
    ask();
  } catch { /* Forbidden by the browser: the page works without it. */ }
}
