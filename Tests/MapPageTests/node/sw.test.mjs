// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const source = readFileSync(new URL("../../../Sources/CMapPage/Assets/sw.js", import.meta.url), "utf8");
const origin = "http://waymark.test";

/// The worker with a cache in memory, a service that answers with the path and the number of requests, and a clock that
/// only `pass` moves.
function worker() {
  const kept = new Map(), on = {}, timers = [], waited = [], sent = [];
  const all = { isAway: false, kept, sent, puts: 0, now: 1e6 };
  const name = (request) => (typeof request === "string" ? request : request.url).replace(origin, "");
  const cache = {
    put: async (key, response) => { all.puts += 1; kept.delete(key); kept.set(key, response); },
    match: async (key) => kept.get(key)?.clone(),
    keys: async () => [...kept.keys()].map((key) => ({ url: origin + key })),
    delete: async (key) => kept.delete(name(key)),
  };
  const context = vm.createContext({
    URL, Response, Headers, Map, Promise, location: { origin }, Date: { now: () => all.now },
    setTimeout: (run, wait) => timers.push({ run, at: all.now + Math.max(0, wait) }),
    caches: { open: async () => cache, keys: async () => ["waymark-1"], delete: async () => true },
    fetch: async (request) => {
      if (all.isAway) throw new TypeError("away");
      sent.push(name(request.url ?? request));
      return new Response(`${sent.at(-1)} ${sent.length}`);
    },
    self: { addEventListener: (type, handler) => { on[type] = handler; }, clients: { get: async () => null } },
  });
  vm.runInContext(source, context);
  all.settle = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve)); };
  all.pass = async (milliseconds) => {
    all.now += milliseconds;
    for (const timer of timers.splice(0)) if (timer.at <= all.now) timer.run(); else timers.push(timer);
    await all.settle();
  };
  all.ask = async (path, { method = "GET", headers = {} } = {}) => {
    let answer = null;
    on.fetch({ request: { url: origin + path, method, headers: new Headers(headers) }, clientId: "one",
      respondWith: (promise) => { answer = promise; }, waitUntil: (promise) => waited.push(promise) });
    const text = answer && await (await answer).text();
    await all.settle();
    return text;
  };
  return all;
}

test("a name with a digest is asked for once, and a new digest replaces the old one", async () => {
  const all = worker(), [old, now] = ["/assets/page.0123456789ab.js", "/assets/page.ba9876543210.js"];
  assert.equal(await all.ask(old), `${old} 1`);
  assert.equal(await all.ask(old), `${old} 1`);
  assert.equal(await all.ask(now), `${now} 2`);
  assert.deepEqual([...all.kept.keys()], ["/assets/page.js"]);
  await all.ask("/assets/land.0123456789ab/10m/7.bin");
  assert.ok(all.kept.has("/assets/land/10m/7.bin"));
  all.isAway = true;
  assert.equal(await all.ask(now), `${now} 2`);
});

test("the page itself is asked for each time, and kept for times without the service", async () => {
  const all = worker();
  await all.ask("/");
  assert.equal(await all.ask("/"), "/ 2");
  all.isAway = true;
  assert.equal(await all.ask("/"), "/ 2");
});

test("many answers are stored once in three seconds, and the latest stays", async () => {
  const all = worker();
  await all.ask("/v1/near?lat=0");
  await all.pass(0);
  assert.equal(all.puts, 1);
  for (let turn = 0; turn < 20; turn += 1) {
    await all.ask(`/v1/near?lat=${turn}`);
    await all.ask("/v1/tiles/0/0/0");
    await all.pass(100);
  }
  assert.equal(all.puts, 1);
  await all.pass(1000);
  assert.equal(all.puts, 3);
  assert.equal(await all.kept.get("/v1/last").clone().text(), "/v1/near?lat=19 40");
  assert.equal(await all.kept.get("/v1/tiles/0/0/0").clone().text(), "/v1/tiles/0/0/0 41");
  all.isAway = true;
  await assert.rejects(all.ask("/v1/near?lat=1"));
  assert.equal(await all.ask("/v1/near?lat=1", { headers: { "Waymark-Kept": "allowed" } }), "/v1/near?lat=19 40");
});

test("nothing is stored of a session that ends", async () => {
  const all = worker();
  await all.ask("/v1/near?lat=0");
  await all.ask("/v1/session", { method: "DELETE" });
  await all.pass(5000);
  assert.equal(all.puts, 0);
});

test("only the last eighty tiles are kept", async () => {
  const all = worker();
  for (let x = 0; x < 100; x += 1) await all.ask(`/v1/tiles/9/${x}/0`);
  await all.pass(5000);
  assert.equal(all.kept.size, 80);
});
