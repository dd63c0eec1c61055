// SPDX-License-Identifier: Apache-2.0

const operations = ["added", "changed", "removed", "noted", "entered", "left"];

/// The page's only stream of changes. While the tab is hidden the stream is closed, because a browser opens at most six
/// connections to a host; later it resumes after the last id. If it cannot resume, the event `renewed` says that
/// everything has to be requested again.
export class Feed extends EventTarget {
  #source = null;
  #last = null;
  #pause = 1000;
  #timer = 0;
  #heard = 0;

  constructor(filter = "") {
    super();
    this.filter = filter;
    this.onhidden = () => (document.hidden ? this.#close() : this.#open());
  }

  start() {
    document.addEventListener("visibilitychange", this.onhidden);
    this.check = setInterval(() => this.#check(), 5000);
    if (!document.hidden) this.#open();
  }

  stop() {
    document.removeEventListener("visibilitychange", this.onhidden);
    clearInterval(this.check);
    this.#close();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#close();
    const parts = [this.filter, this.#last && `since=${encodeURIComponent(this.#last)}`].filter(Boolean);
    const source = new EventSource(`/v1/changes${parts.length ? "?" : ""}${parts.join("&")}`);
    this.#source = source;
    source.onopen = () => {
      this.#heard = Date.now();
      this.#pause = 1000;
      // The stream begins before this event, so answers to later requests are not older than the stream.
      if (!this.#last) this.dispatchEvent(new Event("renewed"));
      this.#say("live");
    };
    source.onerror = () => {
      this.dispatchEvent(new Event("broken"));
      this.#again();
    };
    const on = (name, handler) => source.addEventListener(name, (event) => {
      this.#heard = Date.now();
      if (event.lastEventId) this.#last = event.lastEventId;
      handler(JSON.parse(event.data));
    });
    on("beacon", (data) => this.#say(data.live === false ? "behind" : "live", data.rev));
    on("signed_out", () => dispatchEvent(new Event("signedout")));
    on("compacted", () => {
      this.#last = null;
      this.#open();
    });
    for (const name of operations) on(name, (data) => {
      this.dispatchEvent(new CustomEvent("change", { detail: data }));
      this.#say("live");
    });
  }

  /// Reconnects. If the browser reconnected by itself, it would start at the position in the original URL.
  #again() {
    this.#close();
    this.#say("reconnecting");
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.6, 10000);
  }

  #check() {
    if (this.#source?.readyState === EventSource.OPEN && Date.now() - this.#heard > 30000) this.#again();
  }

  #say(state, rev = 0) { this.dispatchEvent(new CustomEvent("state", { detail: { state, rev } })); }
}
