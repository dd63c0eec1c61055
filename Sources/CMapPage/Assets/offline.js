// SPDX-License-Identifier: Apache-2.0

let isConnected = false;

/// The headers of questions that may be answered with what was kept: only until the service has been reached.
export const keptHeaders = () => (isConnected ? {} : { "Waymark-Kept": "allowed" });

/// When an answer was kept; null if it has just come.
export function keptAt(answer) {
  const at = Number(answer.headers.get("Waymark-Kept"));
  return at ? new Date(at) : null;
}

export function connected() { isConnected = true; }

/// Installs the worker that keeps the page and its last answers. Browsers have it on loopback and over https only.
export async function startOffline() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    // For those who look into the page: from now on it opens without the service.
    navigator.serviceWorker.addEventListener("message", () => { document.documentElement.dataset.offline = "ready"; });
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage(["/", ...performance.getEntriesByType("resource").map((each) => each.name)]);
  } catch { /* Forbidden by the browser: the page works without it. */ }
}
