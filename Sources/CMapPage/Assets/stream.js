// SPDX-License-Identifier: Apache-2.0

// The only stream of changes of a browser, in a worker that all windows of an account share: over HTTP/1.1 a browser
// opens at most six connections to a host.

const changes = ["added", "changed", "removed", "noted", "entered", "left"];
/// In changes per second: above the first, the stream has only the area that the windows show; below the second, it
/// has everything again.
const busy = 20, quiet = 10;
/// In milliseconds. Beacons come every 5 s, and at most 7.5 s after the last event.
const patience = 8000, limit = 9000, mostWait = 20000;

/// The visible windows by their ports: the box that each shows, the last revision that it got, and whether it has to
/// request everything once the stream is open.
const windows = new Map();
let source = null, last = null, area = null, isBusy = false;
let asked = 0, heard = 0, pause = 1000, timer = 0, mark = { at: 0, rev: 0 };

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
    else if (windows.has(port)) windows.get(port).box = data.box;
    else enter(port, data);
  };
}
self.onconnect = (event) => join(event.ports[0]);
setInterval(check, 500);

function enter(port, { box, since }) {
  const isKnown = Boolean(since) && (!last || epoch(since) === epoch(last));
  windows.set(port, { box, rev: rev(isKnown ? since : last), isNew: !isKnown });
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
  [last, area, isBusy] = [null, null, false];
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

function open() {
  close();
  if (!last) for (const each of windows.values()) each.isNew = true;
  [area, asked] = [wanted(), Date.now()];
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
    last = null;
    for (const each of windows.values()) each.rev = 0;
    open();
  });
}

/// Tells windows that the stream is open. It began before this message, so answers to later requests are not older.
function greet() {
  for (const [port, each] of windows) {
    port.postMessage({ name: "open", area, isNew: each.isNew });
    each.isNew = false;
  }
}

function tell(event, concerns = () => true) {
  for (const [port, each] of windows) {
    if (!concerns(each)) continue;
    if (event.id) each.rev = Math.max(each.rev, rev(event.id));
    port.postMessage(event);
  }
}

function hear(id) {
  heard = Date.now();
  if (!id) return;
  last = id;
  const passed = heard - mark.at, count = rev(id) - mark.rev;
  if (passed < 5000 && count >= 0 && count <= 100) return;
  if (count >= 0) isBusy = count * 1000 / passed > (isBusy ? quiet : busy);
  mark = { at: heard, rev: rev(id) };
}

function check() {
  if (!windows.size) return;
  const now = Date.now();
  if (now - heard > limit) tell({ name: "lost" });
  if (!source) return;
  const next = wanted(), isOpen = source.readyState === EventSource.OPEN;
  const isUnfit = area && next ? !contains(area, next) || size(area) > 8 * size(next) : area !== next;
  if (isUnfit || (isOpen ? now - heard > patience : now - asked > mostWait)) open();
}
