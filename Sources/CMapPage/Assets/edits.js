// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { form } from "./form.js";
import { say } from "./notice.js";
import { asPerson } from "./person.js";

/// The module is loaded at the first conflict, because most visits have none.
const conflict = () => import("./conflict.js");

/// The edits of a person. An edit sends only the changed fields, with the version that the person saw. If somebody else
/// has changed the landmark meanwhile, the two edits are merged. If both changed the same field, the person chooses.
export class Edits {
  constructor(map, done) { Object.assign(this, { map, done }); }

  add({ lat, lng }) {
    asPerson((user) => form("Add a landmark", [
      ...fields({}), { name: "note", label: "Note", long: true, rows: 3 }, ...place(lat, lng),
    ], "Add", (values) => this.#add(values, user)));
  }

  edit(landmark) {
    asPerson((user) => form("Edit", [...fields(landmark), ...place(landmark.lat, landmark.lng)], "Save", (values, changed) => {
      const body = Object.fromEntries(changed.map((name) => [name, typed(name, values[name])]));
      // The form rounds. If one coordinate was changed, send the other one unrounded with it.
      if ("lat" in body || "lng" in body) Object.assign(body, { lat: landmark.lat, lng: landmark.lng, ...body });
      return this.#write(landmark, body, user);
    }));
  }

  moveHere(landmark) {
    const { lat, lng } = this.map.getCenter().wrap();
    this.move(landmark, { lat, lng });
  }

  move(landmark, { lat, lng }) {
    asPerson((user) => this.#try(() => this.#write(landmark, { lat, lng }, user)));
  }

  remove(landmark) {
    asPerson((user) => this.#try(async () => {
      await api.remove(landmark.id, user, landmark.version);
      this.done(null);
      // Undo adds the landmark with a new id, because an id is never used twice. Its notes get the name of the person
      // who clicks Undo.
      say(`${landmark.name} was removed.`, "Undo", () => this.#try(async () => {
        const made = await api.add(filled(whole(landmark)), user);
        for (const note of landmark.notes ?? []) await api.addNote(made.id, note.text, user);
        this.done(made.id);
      }));
    }));
  }

  note(landmark, note) {
    asPerson((user) => form(note ? "Edit the note" : "Add a note", [
      { name: "text", label: "Note", long: true, rows: 5, value: note?.text, required: true, maxLength: 10000 },
    ], "Save", async ({ text }, changed) => {
      if (!note) await api.addNote(landmark.id, text, user);
      else if (changed.length) {
        // Notes have no version, so compare the text just before the edit is sent.
        const now = (await api.show(landmark.id)).notes.find(({ id }) => id === note.id) ?? note;
        const body = await (await conflict()).settle(note, now, { text });
        if (body.text) await api.editNote(landmark.id, note.id, text, user);
      }
      this.done(landmark.id);
    }));
  }

  removeNote(landmark, note) {
    asPerson((user) => this.#try(async () => {
      await api.removeNote(landmark.id, note.id, user);
      this.done(landmark.id);
      say("The note was removed.", "Undo", () => this.#try(async () => {
        await api.addNote(landmark.id, note.text, user);
        this.done(landmark.id);
      }));
    }));
  }

  async #add(values, user) {
    const made = await api.add(filled(values), user);
    say(`${values.name} was added.`, "Undo", () => this.#try(() => api.remove(made.id, user, made.version)));
    this.done(made.id);
  }

  async #write(landmark, body, user) {
    let base = landmark;
    const send = async (left) => {
      try { return Object.keys(body).length ? await api.edit(landmark.id, body, user, base.version) : null; } catch (error) {
        if (error.code !== "version_mismatch" || !left) throw error;
        const now = await api.show(landmark.id);
        body = await (await conflict()).settle(base, now, body);
        base = now;
        return send(left - 1);
      }
    };
    try {
      const written = await send(5);
      const before = Object.fromEntries(Object.keys(body).map((key) => [key, base[key] ?? null]));
      if (written) say(`${base.name} was changed.`, "Undo",
        () => this.#try(() => this.#write({ ...base, ...body, version: written.version }, before, user)));
      this.done(landmark.id);
    } catch (error) {
      if (error.code !== "not_found") throw error;
      await (await conflict()).askAnew(base.name);
      await this.#add(whole({ ...base, ...body }), user);
    }
  }

  async #try(action) { try { await action(); } catch (error) { say(error.message); } }
}

/// The fields of a form except the position.
export const fields = ({ name, kind, link, address, phone, opening_hours, rating }) => [
  { name: "name", label: "Name", value: name, required: true, maxLength: 200 },
  { name: "kind", label: "Kind, such as beach", value: kind },
  { name: "link", label: "Link", value: link, type: "url", placeholder: "https://…" },
  { name: "address", label: "Address", value: address, maxLength: 300 },
  { name: "phone", label: "Phone", value: phone, type: "tel", maxLength: 100 },
  { name: "opening_hours", label: "Opening hours", value: opening_hours, placeholder: "Mo-Fr 09:00-17:00", maxLength: 1000 },
  { name: "rating", label: "Rating, 0 to 5", value: rating, type: "number", step: "any", min: 0, max: 5 },
];

/// The fields that are copied when a removed landmark is added again.
const whole = (landmark) => Object.fromEntries(
  ["lat", "lng", "ratings", ...fields({}).map(({ name }) => name)].map((name) => [name, landmark[name]]));

const numbers = ["lat", "lng", "rating", "ratings"];

const place = (lat, lng) => [
  { name: "lat", label: "Latitude", type: "number", step: "any", min: -90, max: 90, value: Number(lat.toFixed(6)), required: true },
  { name: "lng", label: "Longitude", type: "number", step: "any", min: -180, max: 180, value: Number(lng.toFixed(6)), required: true },
];

/// Converts the text of a field to the service's value. An empty text becomes null, which clears an attribute. An empty
/// name is sent as it is, so that the service says that a name is needed.
const typed = (name, value) => (value === "" && name !== "name" ? null : numbers.includes(name) ? Number(value) : value);

const filled = (values) => Object.fromEntries(Object.entries(values)
  .filter(([, value]) => value !== "" && value != null).map(([name, value]) => [name, typed(name, value)]));
