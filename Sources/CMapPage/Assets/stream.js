// SPDX-License-Identifier: Apache-2.0

// The only stream of changes of a browser, in a worker that all windows of an account share: over HTTP/1.1 a browser
// opens at most six connections to a host.

const changes = ["added", "changed", "removed", "noted", "entered", "left"];
/// In changes per second: above the first, the stream has only the area that the windows show; below the second, it
/// has everything again.
const busy = 20, quiet = 10;
/// In milliseconds. Beacons come every 5 s, and at most 6.25 s after the last event. A visible window speaks every 5 s.
const patience = 8000, limit = 9000, mostWait = 20000;
/// The stream does not begin again for a window that missed more changes: this window requests everything.
const mostMissed = 1000;
/// The changes of one batch of the service come as many events. They wait so long for each other, in milliseconds, to
/// make one message for each window, because a message costs a window more than a change.
const gather = 4;

/// The visible windows by their ports: the box that each shows, the last revision that it got, when it spoke, whether it
/// has to request everything once the stream is open, and the changes that it gets soon.
const windows = new Map();
let source = null, last = null, newest = 0, area = null, isBusy = false;
let asked = 0, heard = 0, pause = 1000, timer = 0, gathering = 0, mark = { at: 0, rev: 0 };

const rev = (id) => Number(id?.slice(id.lastIndexOf("-") + 1) ?? 0);
const epoch = (id) => id.slice(0, 36);
const text = (box) => box && [box.south, box.west, box.north, box.east].join();
const size = (box) => (box.north - box.south) * (box.east - box.west);
const contains = (outer, inner) => outer.south <= inner.south && outer.west <= inner.west
  && outer.north >= inner.north && outer.east >= inner.east;

/// Adds a window. Its messages are its box and the last id that it got; null if it is hidden.
export function join(port) {
  port.onmessage = ({ data }) => {
    if (!data) leave(port);
    else if (windows.has(port)) Object.assign(windows.get(port), { box: data.box, spoke: Date.now() });
    else enter(port, data);
  };
}
self.onconnect = (event) => join(event.ports[0]);
setInterval(check, 500);

function enter(port, { box, since }) {
  const isKnown = Boolean(since) && (!last || epoch(since) === epoch(last) && rev(last) - rev(since) <= mostMissed);
  windows.set(port, { box, rev: rev(isKnown ? since : last), spoke: Date.now(), isNew: !isKnown, changes: [] });
  if (windows.size === 1) [heard, pause] = [Date.now(), 1000];
  // The stream begins again for a window that returns; the others do not get an event twice.
  if (isKnown && (!last || rev(since) < rev(last))) {
    last = since;
    open();
  } else if (!source) open();
  else if (source.readyState === EventSource.OPEN) greet();
}

function leave(port) {
  windows.delete(port);
  if (windows.size) return;
  close();
  [last, newest, area, isBusy] = [null, 0, null, false];
}

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

/// Returns the box around everything that the windows show; null if the stream has to have everything.
function wanted() {
  const boxes = [...windows.values()].map(({ box }) => box);
  if (!isBusy || boxes.includes(null)) return null;
  const [south, west] = ["south", "west"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [north, east] = ["north", "east"].map((side) => Math.max(...boxes.map((box) => box[side])));
  return { south, west, north, east };
}

/// Returns the box with some room around it, so that not each move of a map leaves it; null stands for everything.
function roomy(box) {
  if (!box) return null;
  const high = (box.north - box.south) / 4, wide = (box.east - box.west) / 4;
  return { south: Math.max(-90, box.south - high), west: Math.max(-180, box.west - wide),
    north: Math.min(90, box.north + high), east: Math.min(180, box.east + wide) };
}

function open() {
  close();
  if (!last) for (const each of windows.values()) each.isNew = true;
  [area, asked] = [roomy(wanted()), Date.now()];
  const parts = [area && `within=${text(area)}`, last && `since=${encodeURIComponent(last)}`].filter(Boolean);
  source = new EventSource(`/v1/changes${parts.length ? "?" : ""}${parts.join("&")}`);
  source.onopen = () => {
    [heard, pause] = [Date.now(), 1000];
    greet();
  };
  source.onerror = () => {
    close();
    tell({ name: "lost", isBroken: true });
    // If the browser reconnected by itself, it would start at the position in the original URL.
    timer = setTimeout(open, pause);
    pause = Math.min(pause * 1.6, 10000);
  };
  const on = (name, handler) => source.addEventListener(name, (event) => {
    hear(event.lastEventId);
    handler({ name, data: event.data, id: event.lastEventId });
  });
  on("beacon", (event) => tell(event, (each) => each.rev <= rev(last)));
  for (const name of changes) on(name, (event) => tell(event, (each) => each.rev < rev(last)));
  on("signed_out", (event) => {
    tell(event);
    for (const port of windows.keys()) leave(port);
  });
  on("compacted", () => {
    [last, newest] = [null, 0];
    for (const each of windows.values()) each.rev = 0;
    open();
  });
}

/// Tells windows that the stream is open. It began before this message, so answers to later requests are not older.
function greet() {
  for (const [port, each] of windows) {
    send(port, each, { name: "open", area, isNew: each.isNew });
    each.isNew = false;
  }
}

function tell(event, concerns = () => true) {
  for (const [port, each] of windows) {
    if (!concerns(each)) continue;
    if (event.id) each.rev = Math.max(each.rev, rev(event.id));
    if (changes.includes(event.name)) each.changes.push(event); else send(port, each, event);
  }
  gathering ||= setTimeout(() => {
    gathering = 0;
    for (const [port, each] of windows) send(port, each);
  }, gather);
}

/// Sends a window the changes that it waits for, then another event.
function send(port, each, event) {
  if (each.changes.length) port.postMessage(each.changes.splice(0));
  if (event) port.postMessage(event);
}

function hear(id) {
  heard = Date.now();
  if (!id) return;
  last = id;
  // Changes that come again, for a window that returned, say nothing about their rate.
  if (rev(id) < newest) return;
  newest = rev(id);
  const passed = heard - mark.at, count = rev(id) - mark.rev;
  if (passed < 5000 && count >= 0 && count <= 100) return;
  if (count >= 0) isBusy = count * 1000 / passed > (isBusy ? quiet : busy);
  mark = { at: heard, rev: rev(id) };
}

function check() {
  const now = Date.now();
  // A window may end without a word.
  for (const [port, { spoke }] of windows) if (now - spoke > mostWait) leave(port);
  if (!windows.size) return;
  if (now - heard > limit) tell({ name: "lost" });
  if (!source) return;
  const next = wanted(), isOpen = source.readyState === EventSource.OPEN;
  const isUnfit = area && next ? !contains(area, next) || size(area) > 20 * size(next) : area !== next;
  const isSilent = isOpen ? now - heard > patience : now - asked > mostWait;
  if (isSilent) tell({ name: "silent", isBroken: true });
  if (isUnfit || isSilent) open();
}
