// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import * as words from "./words.js";

const most = 100;

/// The list beside the map, which is also the map for those who do not see one.
export class List {
  constructor(store, view, origin, open) {
    Object.assign(this, { store, view, origin, open, found: null, spot: null });
    for (const name of ["kind", "user", "source", "order"]) {
      find(name).addEventListener("change", () => {
        if (name !== "order") view.filters[name] = find(name).value;
        view.write();
        this.onfilter?.();
        this.draw();
      });
    }
  }

  passes(landmark) {
    const { kind, user, source } = this.view.filters;
    return (!kind || landmark.kind === kind) && (!user || landmark.user === user)
      && (!source || landmark.source?.name === source);
  }

  shown() { return [...this.store.landmarks.values()].filter((landmark) => this.passes(landmark)); }

  draw() {
    this.#choices();
    const from = this.origin(), all = this.found ?? this.spot?.map((id) => this.store.landmarks.get(id)).filter(Boolean)
      ?? this.shown();
    const rows = all.filter((landmark) => this.passes(landmark))
      .map((landmark) => ({ landmark, metres: words.metres(from, landmark) }));
    if (find("order").value === "recent") rows.sort((a, b) => (b.landmark.rev ?? 0) - (a.landmark.rev ?? 0));
    else rows.sort((a, b) => a.metres - b.metres);
    find("count").textContent = (this.found ? "Found: " : this.spot ? "At this spot: " : "")
      + words.count(rows.length, "landmark") + (rows.length > most ? `, the first ${most} are listed` : "");
    // The focus stays on its landmark while the list changes around it.
    const focused = document.activeElement?.dataset?.id;
    find("list").replaceChildren(...rows.slice(0, most).map((row) => this.#row(row, from)));
    if (focused) [...find("list").querySelectorAll("button")].find((each) => each.dataset.id === focused)?.focus();
  }

  #row({ landmark, metres }, from) {
    const about = [words.kind(landmark.kind), landmark.user ?? landmark.source?.name].filter(Boolean).join(" · ");
    const button = element("button", { type: "button", onclick: () => this.open(landmark.id) },
      element("span", { className: "name" }, landmark.name),
      element("span", { className: "far" }, `${words.distance(metres)} ${words.wind(words.bearing(from, landmark))}`),
      element("span", { className: "about" }, about));
    button.dataset.id = landmark.id;
    return element("li", {}, button);
  }

  #choices() {
    const values = { kind: new Set(), user: new Set(), source: new Set() };
    for (const { kind, user, source } of this.store.landmarks.values()) {
      values.kind.add(kind);
      values.user.add(user);
      values.source.add(source?.name);
    }
    for (const [name, found] of Object.entries(values)) {
      const select = find(name), chosen = this.view.filters[name];
      if (chosen) found.add(chosen);
      const wanted = [...found].filter(Boolean).sort().slice(0, 200);
      const present = [...select.options].slice(1).map((option) => option.value);
      if (wanted.join("\n") !== present.join("\n")) {
        select.replaceChildren(element("option", { value: "" }, "All"),
          ...wanted.map((value) => element("option", { value }, name === "kind" ? words.kind(value) : value)));
      }
      select.value = chosen;
    }
  }
}
