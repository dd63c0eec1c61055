// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { name } from "./dom.js";
import { Editor } from "./editor.js";
import { label } from "./filters.js";
import { pick } from "./kinds.js";
import { say } from "./notice.js";
import { asPerson } from "./account.js";
import { mayChange } from "./session.js";
import { readPlace } from "./form.js";

/// The module is loaded at the first conflict, because most visits have none.
const conflict = () => import("./conflict.js");

/// The edits of a person. An edit sends only the changed fields, with the version that the person saw. If somebody else
/// has changed the landmark meanwhile, the two edits are merged. If both changed the same field, the person chooses.
/// The state's event `written` tells which landmark was written.
export class Edits {
  constructor(map, state) { Object.assign(this, { map, state, editor: new Editor(state) }); }

  add(at) {
    return asPerson(async (user) => {
      const made = await this.editor.ask("Add a landmark", this.#fields({}, [
        { name: "note", label: "Note", long: true, rows: 3, maxLength: 10000 }, this.editor.position(at),
      ]), "Add", async ({ position, ...values }) => {
        const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
        return { ...values, ...await api.add({ ...body, ...place(position, at) }, user) };
      });
      if (!made) return;
      this.#done(made.id);
      say([name(made.name), " was added."], "Undo", () => this.#try(made, async () => {
        await api.remove(made.id, user, made.version);
        this.#done(null, made.id);
      }));
    });
  }

  edit(landmark) {
    return asPerson((user) => this.editor.ask("Edit", this.#fields(landmark, [this.editor.position(landmark)]), "Save",
      (values, { position, ...changes }) => this.#write(landmark, { ...changes, ...(position ? place(position, landmark) : {}) }, user)));
  }

  moveHere(landmark) {
    const { lat, lng } = this.map.getCenter().wrap();
    return this.move(landmark, { lat, lng });
  }

  move(landmark, { lat, lng }) {
    if (!mayChange(landmark)) return say([name(landmark.name), " belongs to somebody else: you may not move it."]);
    return asPerson((user) => this.#try(landmark, () => this.#write(landmark, { lat, lng }, user)));
  }

  remove(landmark) {
    const { id } = landmark;
    return asPerson((user) => this.#try(landmark, async () => {
      await api.remove(id, user, landmark.version);
      this.#done(null, id);
      say([name(landmark.name), " was removed."], "Undo", () => this.#try(landmark, async () => {
        await this.#restore(id, user);
        this.#done(id);
      }));
    }));
  }

  note(landmark, note) {
    return asPerson((user) => this.editor.ask(note ? "Edit the note" : "Add a note", [
      { name: "text", label: "Note", long: true, rows: 5, value: note?.text, required: true, maxLength: 10000 },
    ], "Save", async ({ text }, { text: changed }) => {
      if (!note) await api.addNote(landmark.id, text, user);
      else if (changed) {
        // Notes have no version, so compare the text just before the edit is sent.
        const now = (await api.show(landmark.id)).notes.find(({ id }) => id === note.id) ?? note;
        const body = await (await conflict()).settle(note, now, { text });
        if (body.text) await api.editNote(landmark.id, note.id, text, user);
      }
      this.#done(landmark.id);
    }));
  }

  removeNote(landmark, note) {
    return asPerson((user) => this.#try(landmark, async () => {
      await api.removeNote(landmark.id, note.id, user);
      this.#done(landmark.id);
      say("The note was removed.", "Undo", () => this.#try(landmark, async () => {
        await api.addNote(landmark.id, note.text, user);
        this.#done(landmark.id);
      }));
    }));
  }

  async #write(landmark, body, user, told = "was changed") {
    const { id } = landmark;
    let base = landmark;
    const send = async (left) => {
      try { return Object.keys(body).length ? await api.edit(id, body, user, base.version) : null; } catch (error) {
        if (error.code !== "version_mismatch" || !left) throw error;
        const now = await api.show(id);
        body = await (await conflict()).settle(base, now, body);
        base = now;
        return send(left - 1);
      }
    };
    let written;
    try { written = await send(5); } catch (error) {
      if (error.code !== "not_found") throw error;
      await (await conflict()).askBack(base.name);
      await this.#restore(id, user);
      // Changes that others made before the removal are merged as ever.
      return this.#write(base, body, user, "is back and changed");
    }
    const before = Object.fromEntries(Object.keys(body).map((key) => [key, base[key] ?? null])), undone = "is as before";
    if (told === undone) say([name(before.name ?? base.name), ` ${told}.`]);
    else if (written) {
      say([name(body.name ?? base.name), ` ${told}.`], "Undo",
        () => this.#try(base, () => this.#write({ ...base, ...body, version: written.version }, before, user, undone)));
    }
    this.#done(id);
  }

  async #restore(id, user) {
    try { await api.restore(id, user); } catch (error) {
      throw error.code === "not_found" ? new Error("It was removed too long ago to be brought back.") : error;
    }
  }

  /// Shows a landmark that was written, or closes one that was removed.
  #done(selected, id = selected) {
    if (selected !== null || this.state.selected === id) this.state.set({ selected });
    this.state.dispatchEvent(new CustomEvent("written", { detail: id }));
  }

  /// Returns false if the action failed and may succeed later.
  async #try(landmark, action) {
    try { await action(); } catch (error) {
      say(error.code === "not_found" ? [name(landmark.name), " is not there any more: somebody removed it."] : error.message);
      return error.code === "not_found";
    }
  }

  /// Returns the fields of a form: `others` stand before those that few people need.
  #fields(landmark, others) {
    const [first, kind, ...more] = fields(landmark);
    const show = (value) => (value ? label(value) : "None");
    return [first, { ...kind, pick, show }, ...others, ...more.map((field) => ({ ...field, isMore: true }))];
  }
}

/// The fields of a landmark except its position.
export const fields = ({ name, kind, link, address, phone, opening_hours, rating }) => [
  { name: "name", label: "Name", value: name, required: true, maxLength: 200 },
  { name: "kind", label: "Kind", value: kind },
  { name: "link", label: "Link", value: link, type: "url", placeholder: "https://…" },
  { name: "address", label: "Address", value: address, maxLength: 300 },
  { name: "phone", label: "Phone", value: phone, type: "tel", maxLength: 100 },
  { name: "opening_hours", label: "Opening hours", value: opening_hours, placeholder: "Mo-Fr 09:00-17:00", maxLength: 1000 },
  { name: "rating", label: "Rating, 0 to 5", value: rating, type: "number", step: "any", min: 0, max: 5 },
];

/// Reads a position. A coordinate that was not changed is sent as it was before it was rounded for the form.
export function place(text, before) {
  const at = readPlace(text);
  if (!at) throw new Error("The position is not understood: write latitude and longitude, such as -33.85, 151.21.");
  const exact = (name) => (Number(before[name].toFixed(6)) === at[name] ? before[name] : at[name]);
  return { lat: exact("lat"), lng: exact("lng") };
}
