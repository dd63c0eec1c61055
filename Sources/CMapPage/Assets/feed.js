// SPDX-License-Identifier: Apache-2.0

/// The changes that the shared stream tells this window while it is visible. After it was hidden, it goes on after the
/// last id. If that is impossible, the event `renewed` says that everything has to be requested again.
export class Feed extends EventTarget {
  /// The box to which a busy stream is limited; null if it has everything.
  area = null;
  #box = null;
  #port = null;
  /// The id of the last event, and its revision.
  #last = null;
  #rev = 0;
  #heard = 0;
  #isBehind = false;

  /// - `account`: windows of different accounts share no stream.
  start(account) {
    this.account = account;
    document.addEventListener("visibilitychange", () => {
      this.#heard = Date.now();
      this.#say();
      if (!document.hidden) this.dispatchEvent(new Event("broken"));
    });
    // The stream forgets windows that say nothing.
    setInterval(() => {
      if (document.hidden) return;
      if (Date.now() - this.#heard > 15000) this.#connect();
      else this.#say();
    }, 5000);
    this.#connect();
  }

  /// Tells the stream which places the window shows; none stands for all.
  look(places) {
    const most = (values) => Math.ceil(Math.max(...values) * 1e4) / 1e4, least = (values) => -most(values.map((each) => -each));
    const lats = places.map(({ lat }) => lat), lngs = places.map(({ lng }) => lng);
    const box = places.length ? { south: least(lats), west: least(lngs), north: most(lats), east: most(lngs) } : null;
    if (JSON.stringify(box) === JSON.stringify(this.#box)) return;
    this.#box = box;
    if (!document.hidden) this.#say();
  }

  #say() { this.#port?.postMessage(document.hidden ? null : { box: this.#box, since: this.#last }); }

  #connect() {
    this.#port?.postMessage(null);
    try {
      const worker = new SharedWorker("/assets/stream.js", { type: "module", name: `waymark-1-${this.account}` });
      worker.onerror = () => { if (worker.port === this.#port) this.#alone(); };
      this.#listen(worker.port);
    } catch {
      this.#alone();
    }
  }

  /// Runs the stream in this window, for a browser without such workers.
  #alone() {
    this.#port?.postMessage(null);
    const { port1, port2 } = new MessageChannel();
    import("/assets/stream.js").then(({ join }) => join(port2), () => { /* Tried again later. */ });
    this.#listen(port1);
  }

  #listen(port) {
    this.#port = port;
    this.#heard = Date.now();
    // One event, or several changes.
    port.onmessage = ({ data }) => { if (port === this.#port) for (const each of [data].flat()) this.#hear(each); };
    this.#say();
  }

  #hear({ name, data, id, area, isNew, isBroken }) {
    this.#heard = Date.now();
    const told = data && JSON.parse(data);
    // A window that was hidden for a moment may get a change twice.
    if (id && (told.rev < this.#rev || told.rev === this.#rev && name !== "beacon")) return;
    if (id) [this.#last, this.#rev] = [id, told.rev];
    if (isBroken) this.dispatchEvent(new Event("broken"));
    if (name === "silent") return;
    if (name === "signed_out") return dispatchEvent(new Event("signedout"));
    if (name === "open") {
      // Nobody has told the changes outside a former area.
      const isOther = this.area && JSON.stringify(area) !== JSON.stringify(this.area);
      this.area = area;
      if (isNew) [this.#last, this.#rev] = [null, 0];
      if (isNew || isOther) this.dispatchEvent(new Event("renewed"));
    } else if (name !== "lost") {
      this.#isBehind = told.live === false;
      if (name !== "beacon") this.dispatchEvent(new CustomEvent("change", { detail: told }));
    }
    // A stream that was opened again does not tell whether storage answers.
    const state = name === "lost" ? "reconnecting" : this.#isBehind ? "behind" : "live";
    this.dispatchEvent(new CustomEvent("state", { detail: { state, rev: told?.rev ?? 0 } }));
  }
}
