// SPDX-License-Identifier: Apache-2.0

const operations = ["added", "changed", "removed", "noted", "entered", "left"];

/// The one stream of this tab. It is closed while the tab is hidden, because a browser has six connections for each
/// host, and goes on after the last id it saw.
export class Feed extends EventTarget {
  #source = null;
  #last = null;
  #pause = 1000;
  #timer = 0;
  #heard = 0;

  constructor(store) {
    super();
    this.store = store;
  }

  start(withSnapshot) {
    this.withSnapshot = withSnapshot;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#open()));
    setInterval(() => this.#check(), 5000);
    if (!document.hidden) this.#open();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#close();
    const begin = this.#last ? `?since=${encodeURIComponent(this.#last)}` : this.withSnapshot ? "?snapshot=true" : "";
    const source = new EventSource(`/v1/changes${begin}`);
    this.#source = source;
    source.onopen = () => {
      this.#heard = Date.now();
      this.#pause = 1000;
      if (!this.#last && this.withSnapshot) this.store.begin();
      else this.#say("live");
    };
    source.onerror = () => this.#again();
    const on = (name, handler) => source.addEventListener(name, (event) => {
      this.#heard = Date.now();
      if (event.lastEventId) this.#last = event.lastEventId;
      handler(JSON.parse(event.data));
    });
    on("landmark", (data) => this.store.take(data.landmark));
    on("synced", (data) => {
      this.store.synced(data.rev);
      this.#say("live");
    });
    on("beacon", (data) => {
      this.store.rev = Math.max(this.store.rev, data.rev);
      this.#say(data.live === false ? "behind" : "live");
    });
    on("compacted", () => {
      this.#last = null;
      this.#open();
    });
    for (const name of operations) on(name, (data) => {
      this.store.apply(data);
      this.dispatchEvent(new CustomEvent("change", { detail: data }));
      this.#say("live");
    });
  }

  /// Our own reconnection: the browser's would ask for a snapshot again with the address of the first time.
  #again() {
    this.#close();
    this.#say("reconnecting");
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.6, 10000);
  }

  #check() {
    if (this.#source?.readyState === EventSource.OPEN && Date.now() - this.#heard > 30000) this.#again();
  }

  #say(state) { this.dispatchEvent(new CustomEvent("state", { detail: state })); }
}
