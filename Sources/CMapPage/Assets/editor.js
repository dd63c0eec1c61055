// SPDX-License-Identifier: Apache-2.0

import { button, element, find, turn } from "./dom.js";
import { makeForm, readPlace } from "./form.js";
import { say } from "./notice.js";
import { on } from "./state.js";

/// The form in the panel with which people write, so that they see the map meanwhile.
export class Editor {
  /// The form, its function `close`, and the field of its position.
  #open = null;

  constructor(state) {
    this.state = state;
    state.addEventListener("place", ({ detail }) => {
      this.#open?.spot?.put(detail);
      state.set({ mode: null });
    });
    on(state, ["mode"], () => this.#open?.spot?.mover.setAttribute("aria-pressed", String(state.mode === "add")));
    on(state, ["selected"], () => { if (!this.#open?.made.isChanged()) this.#open?.close(); });
    find("editor").addEventListener("keydown", ({ key }) => { if (key === "Escape") this.#open?.close(); });
  }

  /// Asks for fields. Returns as `dialog`: see `makeForm`. A form that somebody has changed goes
  /// only by its buttons and Escape, never for another form.
  ask(title, fields, action, send) {
    if (this.#open?.made.isChanged()) {
      say("Save or cancel what you have begun to write.");
      this.#open.made.querySelector("input, textarea").focus();
      return Promise.resolve();
    }
    this.#open?.close();
    const from = document.activeElement, editor = find("editor"), spot = fields.find(({ put }) => put);
    return new Promise((resolve) => {
      const close = (answer) => {
        // The answer of a form that was left while it was sent closes no other form.
        if (this.#open?.made !== made) return;
        this.#open = null;
        editor.replaceChildren();
        turn(this.state.selected === null ? "browse" : "detail");
        this.#draft(null);
        if (this.state.mode === "add") this.state.set({ mode: null });
        from.focus({ preventScroll: true });
        // Where the person came from may be gone.
        if (document.activeElement !== from) find(this.state.selected === null ? "add" : "detail").focus({ preventScroll: true });
        resolve(answer);
      };
      const made = makeForm(fields, action, send, close);
      made.prepend(element("h2", {}, title));
      this.#open = { made, close, spot };
      editor.replaceChildren(made);
      turn("editor");
      if (spot) this.#draft(readPlace(spot.first));
      made.querySelector("input, textarea").focus({ preventScroll: true });
    });
  }

  /// Makes the field of a position, which can be typed or chosen on the map. A tenth of a metre is exact enough.
  position({ lat, lng }) {
    const written = (at) => `${Number(at.lat.toFixed(6))}, ${Number(at.lng.toFixed(6))}`;
    const first = written({ lat, lng }), input = element("input", { name: "position", value: first, required: true, autocomplete: "off",
      oninput: () => this.#draft(readPlace(input.value)) });
    const mover = button("Move pin", () => this.state.set({ mode: this.state.mode === "add" ? null : "add" }),
      { className: "here", "aria-pressed": "false" });
    const put = (at) => {
      input.value = written(at);
      this.#draft(at);
    };
    return { name: "position", label: "Position", input, first, put, mover, read: () => input.value.trim() || null,
      block: element("div", { className: "place" }, element("label", {}, "Position", input), mover) };
  }

  #draft(at) { this.state.dispatchEvent(new CustomEvent("draft", { detail: at })); }
}
