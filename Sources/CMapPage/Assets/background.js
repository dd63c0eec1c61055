// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { landLayer } from "./landlayer.js";

/// Draws the pictures of the configured tile server; if none is configured, the page's own land.
export function startBackground(map) {
  const { tiles, attribution } = find("map").dataset;
  if (!tiles) {
    map.attributionControl.addAttribution("Land: Natural Earth, NGDC");
    return landLayer(map);
  }
  const Pictures = L.TileLayer.extend({
    createTile(...all) {
      const picture = L.TileLayer.prototype.createTile.apply(this, all);
      // Some servers refuse requests without a referrer; the origin is enough for them.
      picture.referrerPolicy = "strict-origin";
      return picture;
    },
  });
  // Leaflet expects HTML here, but the attribution is plain text, so escape it.
  new Pictures(tiles, { maxZoom: map.getMaxZoom(), attribution: element("span", {}, attribution).innerHTML }).addTo(map);
}
