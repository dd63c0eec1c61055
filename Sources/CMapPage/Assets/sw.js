// SPDX-License-Identifier: Apache-2.0

// Keeps the page, its land and the last answers for times without the service. The service is always asked first, so
// nothing outdated is shown while it answers.

const name = "waymark-1";
const mostTiles = 80;
const isPage = (path) => path === "/" || path.startsWith("/assets/");
const isAnswer = (path) => path === "/v1/near" || path === "/v1/landmarks";
const isTile = (path) => path.startsWith("/v1/tiles/");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clear().then(() => self.clients.claim())));

/// Deletes the caches of other versions of this worker.
async function clear() {
  for (const each of await caches.keys()) if (each !== name) await caches.delete(each);
}

/// Returns the name under which an answer is kept. All lists share one name, so only the list seen last is kept.
const key = (url) => (isAnswer(url.pathname) ? "/v1/last" : url.pathname + url.search);

async function keep(url, response) {
  const cache = await caches.open(name), headers = new Headers(response.headers);
  headers.set("Waymark-Kept", String(Date.now()));
  // The body has already been decompressed.
  headers.delete("Content-Encoding");
  await cache.put(key(url), new Response(await response.arrayBuffer(), { status: 200, headers }));
  if (!isTile(url.pathname)) return;
  const tiles = (await cache.keys()).filter((each) => isTile(new URL(each.url).pathname));
  for (const each of tiles.slice(0, -mostTiles)) await cache.delete(each);
}

async function say(client, url) {
  if (isAnswer(url.pathname)) (await self.clients.get(client))?.postMessage("answer");
}

async function serviceFirst(event, url) {
  try {
    const response = await fetch(event.request);
    if (response.status === 200) event.waitUntil(keep(url, response.clone()).then(() => say(event.clientId, url)).catch(() => {}));
    return response;
  } catch (error) {
    // A page that has been connected knows more than the kept answer.
    const isWanted = isPage(url.pathname) || event.request.headers.has("Waymark-Kept");
    const kept = isWanted && await (await caches.open(name)).match(key(url));
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url), path = url.pathname;
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (isPage(path) || isAnswer(path) || isTile(path)) event.respondWith(serviceFirst(event, url));
});

// Keeps what the page loaded before this worker existed: its files, which the browser still has, and its tiles with
// their bytes.
self.addEventListener("message", (event) => {
  const { files = [], tiles = [] } = event.data ?? {}, own = (path) => new URL(path, location.origin);
  const wanted = files.map(own).filter((url) => url.origin === location.origin && isPage(url.pathname));
  const held = tiles.map(({ path, bytes, tag }) => [own(path), new Response(bytes, { headers: tag ? { ETag: tag } : {} })])
    .filter(([url]) => url.origin === location.origin && isTile(url.pathname));
  event.waitUntil(Promise.all([
    ...wanted.map(async (url) => {
      const response = await fetch(url, { cache: "force-cache" }).catch(() => null);
      if (response?.status === 200) await keep(url, response);
    }),
    ...held.map(([url, response]) => keep(url, response)),
  ]).then(() => event.source?.postMessage("page")));
});
