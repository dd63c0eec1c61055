// SPDX-License-Identifier: Apache-2.0

import { element, find } from "./dom.js";
import { landLayer } from "./landlayer.js";

/// The zoom level up to which the page's own land says enough.
const mostZoom = 13;

/// Draws the pictures of the configured tile server; if none is configured, the page's own land.
export function startBackground(map) {
  const { tiles, attribution } = find("map").dataset;
  if (!tiles) {
    map.attributionControl.addAttribution("Land: Natural Earth, NGDC");
    let isTold = false;
    const tell = () => {
      if (isTold === map.getZoom() > mostZoom) return;
      isTold = !isTold;
      map.attributionControl[isTold ? "addAttribution" : "removeAttribution"]("No streets without a tile server");
    };
    map.on("zoomend", tell);
    tell();
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
