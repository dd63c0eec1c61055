// SPDX-License-Identifier: Apache-2.0

import { startBackground } from "./background.js";
import { button, element, find } from "./dom.js";
import { EventReader } from "./eventreader.js";
import { colour } from "./layer.js";
import { line } from "./mercator.js";
import { morph } from "./nodes.js";
import { caption, marker, Overlay } from "./overlay.js";
import { ago, span } from "./spans.js";

/// The time without a beacon after which the stream begins anew, and the pause before that, in milliseconds.
const patience = 12000, pause = 1000;
/// The most points of a track, in all and in a page.
const mostPoints = 50000, page = 5000;

/// The page of a link that ends: it shows what the link names, and changes nothing. The secret is after the # of the
/// address, which browsers send to nobody.
class SharedView {
  #told = null;
  #landmarks = new Map();
  #track = [];
  /// The time of the last known point, in milliseconds.
  #after = 0;
  #isAsking = false;
  #isDue = false;
  /// The service's clock less the browser's.
  #ahead = 0;
  #isFollowing = true;
  #isShown = false;

  constructor(map) {
    this.map = map;
    this.redraw = new Overlay(map).add(() => !this.#landmarks.size, (pen, project) => this.#draw(pen, project));
    map.on("dragstart", () => { this.#isFollowing = false; });
    setInterval(() => this.#say(), 5000);
  }

  get #now() { return Date.now() + this.#ahead; }

  /// The landmarks whose position is known.
  get #shown() { return [...this.#landmarks.values()].filter((each) => !each.private); }

  get #one() { return this.#told?.kind === "landmark" ? this.#landmarks.values().next().value : null; }

  /// Follows the stream until the link ends.
  async follow() {
    const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
    for (let isOver = location.hash.length < 2; !isOver;) {
      const asked = new AbortController(), events = new EventReader();
      let timer = setTimeout(() => asked.abort(), patience);
      try {
        const answer = await fetch("/v1/shared/changes", { headers, signal: asked.signal, cache: "no-store" });
        isOver = answer.status === 401;
        if (answer.status === 403) tell("reconnecting", "Open the link with https");
        const reader = answer.ok ? answer.body.pipeThrough(new TextDecoderStream()).getReader() : null;
        for (let isOpen = answer.ok; isOpen;) {
          const { done, value } = await reader.read();
          clearTimeout(timer);
          timer = setTimeout(() => asked.abort(), patience);
          for (const event of done ? [] : events.read(value)) isOver = this.#take(event, headers) || isOver;
          isOpen = !done && !isOver;
        }
      } catch { /* The network or the service is away: the next turn asks again. */ }
      clearTimeout(timer);
      asked.abort();
      if (isOver) break;
      if (this.#told) tell("reconnecting", "Reconnecting…");
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#end();
  }

  /// Returns whether the link has ended.
  #take({ name, data }, headers) {
    if (name === "ended") return true;
    if (name === "shared") this.#begin(data, headers);
    if (name === "changed") {
      this.#put(data.landmark);
      if (this.#told.track) this.#askTrack(headers);
    }
    if (name === "left") this.#landmarks.delete(data.landmark.id);
    if (name === "beacon" && !data.live) tell("behind", "Waiting for news"); else tell("live", "Live");
    this.#say();
    this.redraw();
    return false;
  }

  #begin(told, headers) {
    this.#ahead = Date.parse(told.now) - Date.now();
    this.#told = told;
    this.#landmarks = new Map((told.landmarks ?? [told.landmark]).map((each) => [each.id, each]));
    [this.#track, this.#after] = [[], 0];
    if (told.track) this.#askTrack(headers);
    if (!this.#isShown) this.#fit();
  }

  #put(landmark) {
    this.#landmarks.set(landmark.id, landmark);
    const place = this.#places()[0];
    if (this.#one && place && this.#isFollowing && !this.map.getBounds().pad(-0.1).contains(place)) this.map.panTo(place, { animate: false });
  }

  /// Asks for the points after the last known one, once a second at most: one change may have brought many.
  async #askTrack(headers) {
    if (this.#isAsking) { this.#isDue = true; return; }
    [this.#isAsking, this.#isDue] = [true, false];
    const told = this.#told, isFirst = !this.#after;
    try {
      for (let after = this.#after; after !== null;) {
        const answer = await fetch(`/v1/shared/track?after=${after}&limit=${page}`, { headers });
        const { track, next } = answer.ok ? await answer.json() : { track: [], next: null };
        if (told !== this.#told) break;
        this.#track.push(...track);
        this.#track.splice(0, this.#track.length - mostPoints);
        if (track.length) this.#after = Date.parse(track.at(-1).at);
        after = next;
      }
    } catch { /* The next change asks again. */ }
    if (isFirst) this.#fit();
    this.redraw();
    setTimeout(() => {
      this.#isAsking = false;
      if (this.#told?.track && (this.#isDue || told !== this.#told)) this.#askTrack(headers);
    }, pause);
  }

  /// Returns the places that are shown, in the copy of the world that is nearest to the map's centre.
  #places() {
    const from = this.map.getCenter().lng;
    return this.#shown.flatMap((each) => line([each], from));
  }

  #fit() {
    const places = [...this.#places(), ...line(this.#track, this.map.getCenter().lng)];
    if (!places.length || !this.#isFollowing) return;
    this.#isShown = true;
    this.map.fitBounds(L.latLngBounds(places), { padding: [50, 50], maxZoom: 15, animate: false });
  }

  #say() {
    const told = this.#told, one = this.#one;
    if (!told) return;
    const title = (one ? one.name : told.label) || "An area", left = told.until && Date.parse(told.until) - this.#now;
    const count = this.#landmarks.size, age = one && ago(this.#now - Date.parse(one.updated));
    write("title", title);
    document.title = `${title} · Waymark`;
    write("told", one ? `${one.private ? "Its position is private now. Last change" : "Last position"}: ${age}.`
      : `${count.toLocaleString("en")} ${count === 1 ? "landmark" : "landmarks"}${told.more ? " at least" : ""}`);
    write("until", left ? `This link ends in ${span(Math.max(0, left))}.` : "This link stays until it is ended by hand.");
    const rows = one ? [] : [...this.#landmarks.values()].map(({ id, name }) => element("li", { id: `l${id}` }, button(name, () => {
      const now = this.#landmarks.get(id);
      if (now && !now.private) this.map.panTo(now, { animate: false });
    }, { dir: "auto" })));
    morph(find("list"), element("ol", {}, ...rows));
  }

  #end() {
    const hasBegun = this.#told !== null;
    [this.#told, this.#track] = [null, []];
    this.#landmarks.clear();
    this.redraw();
    document.title = "Waymark";
    tell("ended", "Ended");
    write("title", hasBegun ? "This link has ended" : "This link shows nothing");
    write("told", hasBegun ? "Ask who sent it for another one." : "It has ended, or it is not complete: copy all of it.");
    write("until", "");
    find("list").replaceChildren();
  }

  #draw(pen, project) {
    const points = project(this.#track);
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    for (const [name, width] of [["ground", 7], ["own", 3.5]]) {
      [pen.strokeStyle, pen.lineWidth] = [colour(name), width];
      pen.stroke();
    }
    const shown = this.#shown, places = shown.map((each) => project([each])[0]);
    for (const [index, { name }] of shown.entries()) caption(pen, name, places[index], 14);
    // Pins stand above the names of others.
    for (const place of places) marker(pen, place);
  }
}

/// Changes a text only if it differs, so that it is not read out again.
function write(name, text) { if (find(name).textContent !== text) find(name).textContent = text; }

function tell(name, text) {
  find("live").dataset.state = name;
  write("live", text);
}

function start() {
  const map = L.map("map", { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, minZoom: 1, maxZoom: 18,
    zoomControl: false, worldCopyJump: true, inertia: !matchMedia("(prefers-reduced-motion: reduce)").matches });
  L.control.zoom({ position: "topright" }).addTo(map);
  map.attributionControl.setPrefix("Leaflet");
  map.setView([20, 20], 2);
  startBackground(map);
  // Another link in the same window.
  addEventListener("hashchange", () => location.reload());
  new SharedView(map).follow();
}

if (window.L) start(); else write("title", "Leaflet is not installed on the machine of the service.");
