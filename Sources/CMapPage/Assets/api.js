// SPDX-License-Identifier: Apache-2.0

import { keptAt, keptHeaders } from "./offline.js";
import { sentence } from "./refusals.js";

/// An error that the service reported, with its code and the page's sentence.
class Refusal extends Error {
  constructor(problem) {
    super(sentence(problem));
    this.code = problem.code;
  }
}

/// Asks the service, and repeats a request whose answer was lost.
export async function ask(method, path, { body, user, version, signal } = {}) {
  // The page's first question has no headers, so that the answer is the one that index.html has asked for already.
  const headers = path === "/v1/session" ? {} : { Accept: "application/json", ...(method === "GET" ? keptHeaders() : {}) };
  if (body) headers["Content-Type"] = "application/json";
  if (version) headers["If-Match"] = `"${version}"`;
  if (user) headers["Waymark-User"] = encodeURIComponent(user);
  // Use getRandomValues, because randomUUID needs HTTPS except on loopback.
  if (method !== "GET") headers["Idempotency-Key"] = crypto.getRandomValues(new Uint32Array(4)).join("-");
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(path, { method, headers, signal, body: body && JSON.stringify(body) });
      const found = await answer.json().catch(() => ({}));
      if (["key_ended", "sign_in", "account_ended"].includes(found.code)) dispatchEvent(new Event("signedout"));
      if (!answer.ok) throw new Refusal(found);
      return Object.assign(found, { keptAt: keptAt(answer) });
    } catch (error) {
      if (error instanceof Refusal || error.name === "AbortError") throw error;
      // The request may have been done and only its answer lost. The key makes repeating it harmless.
      if (attempt === 3) throw new Refusal({ code: "unavailable" });
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
    }
  }
}

const path = (id, note) => `/v1/landmarks/${encodeURIComponent(id)}${note === undefined ? "" : `/notes${note}`}`;
/// Encodes the parameters for a URL. Empty ones are left out, and an array becomes a repeated parameter.
export const query = (values) => new URLSearchParams(Object.entries(values).flatMap(([name, value]) =>
  [value].flat().filter((each) => each !== "" && each != null).map((each) => [name, each]))).toString();

export const api = {
  session: () => ask("GET", "/v1/session"),
  signIn: (body) => ask("POST", "/v1/session", { body }),
  signOut: () => ask("DELETE", "/v1/session"),
  setPassword: (body) => ask("PUT", "/v1/password", { body }),
  near: (values) => ask("GET", `/v1/near?${query(values)}`),
  recent: (values) => ask("GET", `/v1/landmarks?${query({ ...values, sort: "recent" })}`),
  search: (values) => ask("GET", `/v1/search?${query(values)}`),
  geocode: (values, signal) => ask("GET", `/v1/geocode?${query(values)}`, { signal }),
  where: ({ lat, lng }) => ask("GET", `/v1/where?${query({ at: `${lat},${lng}` })}`),
  kinds: (values, signal) => ask("GET", `/v1/kinds?${query(values)}`, { signal }),
  show: (id, values = {}) => ask("GET", `${path(id)}?${query(values)}`),
  track: (id, values) => ask("GET", `${path(id)}/track?${query(values)}`),
  fences: (values) => ask("GET", `/v1/fences?${query(values)}`),
  keepFence: (body, user) => ask("POST", "/v1/fences", { body, user }),
  removeFence: (name, user) => ask("DELETE", `/v1/fences/${encodeURIComponent(name)}`, { user }),
  rates: () => ask("GET", "/v1/rates"),
  convert: (values) => ask("GET", `/v1/convert?${query(values)}`),
  add: (body, user) => ask("POST", "/v1/landmarks", { body, user }),
  edit: (id, body, user, version) => ask("PATCH", path(id), { body, user, version }),
  remove: (id, user, version) => ask("DELETE", path(id), { user, version }),
  restore: (id, user) => ask("POST", `${path(id)}/restore`, { user }),
  addNote: (id, text, user) => ask("POST", path(id, ""), { body: { text }, user }),
  editNote: (id, note, text, user) => ask("PATCH", path(id, `/${encodeURIComponent(note)}`), { body: { text }, user }),
  removeNote: (id, note, user) => ask("DELETE", path(id, `/${encodeURIComponent(note)}`), { user }),
};
