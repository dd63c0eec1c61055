// SPDX-License-Identifier: Apache-2.0

/// The position, zoom and selection of the map, stored in the URL after #, so that a link opens the same view.
export class View {
  constructor(map) {
    this.map = map;
    const said = new URLSearchParams(location.hash.slice(1));
    const [zoom, lat, lng] = (said.get("at") ?? "").split("/").map(Number);
    this.selected = said.get("id");
    this.isGiven = [zoom, lat, lng].every(Number.isFinite) && said.has("at");
    this.filters = { kind: [...new Set(said.getAll("kind"))].filter(Boolean).slice(0, 20),
      user: said.get("user") ?? "", source: said.get("source") ?? "" };
    this.open = said.get("open") ?? "";
    this.area = corners(said.get("area") ?? "");
    if (this.isGiven) map.setView([Math.max(-85, Math.min(85, lat)), lng], Math.max(1, Math.min(18, zoom)));
    else map.setView([20, 20], 2);
    map.on("moveend", () => this.write());
  }

  write() {
    const { lat, lng } = this.map.getCenter().wrap();
    const parts = [`at=${this.map.getZoom()}/${lat.toFixed(5)}/${lng.toFixed(5)}`];
    for (const [name, values] of Object.entries(this.filters)) {
      for (const value of [values].flat()) if (value) parts.push(`${name}=${encodeURIComponent(value)}`);
    }
    if (this.open) parts.push("open=now");
    if (this.area.length) parts.push(`area=${this.area.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(";")}`);
    if (this.selected) parts.push(`id=${encodeURIComponent(this.selected)}`);
    history.replaceState(null, "", `#${parts.join("&")}`);
  }
}

/// Reads the corners of an area: LAT,LNG;LAT,LNG;…; empty if the text is no area.
function corners(text) {
  const found = text.split(";").slice(0, 60).map((each) => each.split(",").map(Number));
  const isRight = found.length > 2 && found.every((pair) => pair.length === 2 && pair.every(Number.isFinite) && Math.abs(pair[0]) <= 90);
  return isRight ? found.map(([lat, lng]) => ({ lat, lng })) : [];
}
