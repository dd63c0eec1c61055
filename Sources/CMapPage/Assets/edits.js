// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";
import { form } from "./form.js";
import { say } from "./notice.js";
import { asPerson } from "./person.js";

/// What a person changes. Each edit names the version that was seen; when somebody was faster the person chooses.
export class Edits {
  constructor(map, done) { Object.assign(this, { map, done }); }

  add({ lat, lng }) {
    asPerson((user) => form("Add a landmark", [
      { name: "name", label: "Name", required: true, maxLength: 200 }, { name: "kind", label: "Kind, such as beach" },
      ...attributes({}),
      { name: "note", label: "Note", long: true, rows: 3 }, ...place(lat, lng),
    ], "Add", async (values) => {
      const made = await api.add(filled(values), user);
      say(`${values.name} was added.`, "Undo", () => this.#try(() => api.remove(made.id, user, made.version)));
      this.done(made.id);
    }));
  }

  edit(landmark) {
    asPerson((user) => form("Edit", [
      { name: "name", label: "Name", value: landmark.name, required: true, maxLength: 200 },
      { name: "kind", label: "Kind", value: landmark.kind },
      ...attributes(landmark), ...place(landmark.lat, landmark.lng),
    ], "Save", (values) => this.#write(landmark, {
      ...Object.fromEntries(["kind", ...attributes({}).map(({ name }) => name)].map((name) => [name, null])),
      ...filled(values),
    }, user)));
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
      const { name, lat, lng, kind, link, rating, ratings, address, phone, opening_hours } = landmark;
      // It comes back with another id: ids are never used twice. Its notes come back under the name of who undoes.
      say(`${name} was removed.`, "Undo", () => this.#try(async () => {
        const made = await api.add(filled({ name, lat, lng, kind, link, rating, ratings, address, phone, opening_hours }), user);
        for (const note of landmark.notes ?? []) await api.addNote(made.id, note.text, user);
        this.done(made.id);
      }));
    }));
  }

  note(landmark, note) {
    asPerson((user) => form(note ? "Edit the note" : "Add a note", [
      { name: "text", label: "Note", long: true, rows: 5, value: note?.text, required: true, maxLength: 10000 },
    ], "Save", async ({ text }) => {
      if (note) await api.editNote(landmark.id, note.id, text, user);
      else await api.addNote(landmark.id, text, user);
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

  async #write(landmark, body, user, version = landmark.version) {
    try {
      const written = await api.edit(landmark.id, body, user, version);
      const before = Object.fromEntries(Object.keys(body).map((key) => [key, landmark[key] ?? null]));
      say(`${landmark.name} was changed.`, "Undo", () => this.#try(async () => {
        await api.edit(landmark.id, before, user, written.version);
        this.done(landmark.id);
      }));
      this.done(landmark.id);
    } catch (error) {
      if (error.code !== "version_mismatch") throw error;
      const now = await api.show(landmark.id);
      // After the form has closed, because this dialog is the same element.
      setTimeout(() => form(`Somebody changed ${now.name} before you`, [], "Save mine over theirs",
        () => this.#write(now, body, user)));
    }
  }

  async #try(action) { try { await action(); } catch (error) { say(error.message); } }
}

/// The attributes of a landmark that people set, without the kind.
const attributes = ({ link, address, phone, opening_hours, rating }) => [
  { name: "link", label: "Link", value: link, type: "url", placeholder: "https://…" },
  { name: "address", label: "Address", value: address, maxLength: 300 },
  { name: "phone", label: "Phone", value: phone, type: "tel", maxLength: 100 },
  { name: "opening_hours", label: "Opening hours", value: opening_hours, placeholder: "Mo-Fr 09:00-17:00", maxLength: 1000 },
  { name: "rating", label: "Rating, 0 to 5", value: rating, type: "number", step: "any", min: 0, max: 5 },
];

const numbers = ["lat", "lng", "rating", "ratings"];

const place = (lat, lng) => [
  { name: "lat", label: "Latitude", type: "number", step: "any", min: -90, max: 90, value: Number(lat.toFixed(6)), required: true },
  { name: "lng", label: "Longitude", type: "number", step: "any", min: -180, max: 180, value: Number(lng.toFixed(6)), required: true },
];

const filled = (values) => Object.fromEntries(Object.entries(values)
  .filter(([, value]) => value !== "" && value != null)
  .map(([key, value]) => [key, numbers.includes(key) ? Number(value) : value]));
