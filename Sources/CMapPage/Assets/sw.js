// SPDX-License-Identifier: Apache-2.0

// Keeps the page, its land and the last answers for times without the service. The service is always asked first, so
// nothing outdated is shown while it answers; except for files with a digest in their name, whose bytes never change.

const name = "waymark-2";
const mostTiles = 80;
/// Answers are stored at most so often, in milliseconds: many come each second while others write.
const pace = 3000;
const isPage = (path) => path === "/" || path.startsWith("/assets/");
const isAnswer = (path) => path === "/v1/near" || path === "/v1/landmarks";
const isTile = (path) => path.startsWith("/v1/tiles/");
const plain = (path) => path.replace(/\.[0-9a-f]{12}(?=[./])/, "");
/// The latest answers that are not stored yet, by their keys.
const due = new Map();
let stored = 0, storing = null;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clear().then(() => self.clients.claim())));

/// Deletes the caches of other versions of this worker.
async function clear() {
  for (const each of await caches.keys()) if (each !== name) await caches.delete(each);
}

/// Returns the name under which an answer is kept. All lists share one name, so only the list seen last is kept; and all
/// versions of a file, so that a new one replaces the old one.
const key = (url) => (isAnswer(url.pathname) ? "/v1/last" : plain(url.pathname) + url.search);

async function keep(url, response) {
  const cache = await caches.open(name), headers = new Headers(response.headers);
  headers.set("Waymark-Kept", String(Date.now()));
  headers.set("Waymark-Path", url.pathname);
  // The body has already been decompressed.
  headers.delete("Content-Encoding");
  await cache.put(key(url), new Response(await response.arrayBuffer(), { status: 200, headers }));
}

async function keepFewTiles() {
  const cache = await caches.open(name), tiles = (await cache.keys()).filter((each) => isTile(new URL(each.url).pathname));
  for (const each of tiles.slice(0, -mostTiles)) await cache.delete(each);
}

/// Stores the latest answer of each key, soon.
function keepSoon(url, response, client) {
  due.get(key(url))?.response.body?.cancel();
  due.set(key(url), { url, response, client });
  storing ??= store();
  return storing;
}

async function store() {
  await new Promise((resolve) => setTimeout(resolve, stored + pace - Date.now()));
  const all = [...due.values()];
  due.clear();
  [stored, storing] = [Date.now(), null];
  await Promise.allSettled(all.map(({ url, response }) => keep(url, response)));
  await keepFewTiles();
  for (const { url, client } of all) if (isAnswer(url.pathname)) (await self.clients.get(client))?.postMessage("answer");
}

async function serviceFirst(event, url) {
  try {
    const response = await fetch(event.request);
    if (response.status === 200) {
      const copy = response.clone();
      event.waitUntil((isPage(url.pathname) ? keep(url, copy) : keepSoon(url, copy, event.clientId)).catch(() => {}));
    }
    return response;
  } catch (error) {
    // A page that has been connected knows more than the kept answer.
    const isWanted = isPage(url.pathname) || event.request.headers.has("Waymark-Kept");
    const kept = isWanted && await (await caches.open(name)).match(key(url));
    if (kept) return kept;
    throw error;
  }
}

async function keptFirst(event, url) {
  const kept = await (await caches.open(name)).match(key(url));
  return kept?.headers.get("Waymark-Path") === url.pathname ? kept : serviceFirst(event, url);
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url), path = url.pathname;
  if (url.origin !== location.origin) return;
  // The next answers may be another person's.
  if (path === "/v1/session") due.clear();
  if (event.request.method !== "GET") return;
  if (isPage(path) && plain(path) !== path) event.respondWith(keptFirst(event, url));
  else if (isPage(path) || isAnswer(path) || isTile(path)) event.respondWith(serviceFirst(event, url));
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
  ]).then(keepFewTiles).then(() => event.source?.postMessage("page")));
});
