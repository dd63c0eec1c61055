// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { landLayer } from "./landlayer.js";

/// The pictures of the configured tile server; without one, the page's own land.
export function startBackground(map) {
  const { tiles, attribution } = find("map").dataset;
  if (!tiles) {
    map.attributionControl.addAttribution("Land: Natural Earth, NGDC");
    return landLayer(map);
  }
  const Pictures = L.TileLayer.extend({
    createTile(...all) {
      const picture = L.TileLayer.prototype.createTile.apply(this, all);
      // Some servers refuse pages that send no referrer; the origin is enough for them.
      picture.referrerPolicy = "strict-origin";
      return picture;
    },
  });
  // Leaflet takes markup here, and the attribution is text: escape it.
  new Pictures(tiles, { maxZoom: map.getMaxZoom(), attribution: element("span", {}, attribution).innerHTML }).addTo(map);
}
