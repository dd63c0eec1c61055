// SPDX-License-Identifier: Apache-2.0

const key = "waymark-saved", most = 100;
const fields = ["id", "name", "kind", "lat", "lng", "user", "source", "address"];

/// Returns the last result of the last visit, as `{ at, title, landmarks }`; null if nothing was kept.
export function load(storage) {
  try {
    const { at, title, landmarks } = JSON.parse((storage ?? localStorage).getItem(key));
    const isPlace = ({ id, name, lat, lng }) => typeof id === "string" && typeof name === "string"
      && Number.isFinite(lat) && Number.isFinite(lng);
    return { at: Number(at), title: String(title), landmarks: landmarks.slice(0, most).filter((each) => each && isPlace(each)) };
  } catch { return null; }
}

export function forgetSaved() {
  try { localStorage.removeItem(key); } catch { /* Storage may be forbidden. */ }
}

/// Keeps a result, also for times without the service.
export function save(title, landmarks, storage) {
  const kept = landmarks.slice(0, most).map((each) => Object.fromEntries(fields.map((name) => [name, each[name]])));
  try { (storage ?? localStorage).setItem(key, JSON.stringify({ at: Date.now(), title, landmarks: kept })); }
  catch { /* Storage may be forbidden or full: the result is then known for this page only. */ }
}
