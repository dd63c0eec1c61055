// SPDX-License-Identifier: Apache-2.0

import { api } from "./api.js";

const most = 1000;

/// Returns the ids of the landmarks in the view of the map that are known to be open; null if there are too many, or if
/// the service does not say.
export async function openIDs(map, filters) {
  const bounds = map.getBounds(), isWorld = bounds.getEast() - bounds.getWest() >= 360, { lat, lng } = map.getCenter().wrap();
  const wrap = (degrees) => ((degrees + 180) % 360 + 360) % 360 - 180;
  const within = [Math.max(-90, bounds.getSouth()), isWorld ? -180 : wrap(bounds.getWest()), Math.min(90, bounds.getNorth()),
    isWorld ? 180 : wrap(bounds.getEast())].map((each) => each.toFixed(5)).join();
  const page = await api.near({ ...filters, open: "now", lat, lng, within, limit: most }).catch(() => null);
  return page && !page.cursor ? new Set(page.landmarks.map(({ id }) => id)) : null;
}
