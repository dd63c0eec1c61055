// SPDX-License-Identifier: Apache-2.0

import { mayChange } from "./session.js";

const least = 6;

/// Lets a person who may change the selected landmark drag it to another position by mouse or touch. The keyboard has
/// "Move here".
export function startDrag(map, points, store, drop) {
  const box = map.getContainer();
  let from = null, isMoving = false, timer = 0;
  const isHeld = (event) => {
    const group = points.at(map.mouseEventToContainerPoint(event)), landmark = group?.isSelected && store.landmarks.get(group.ones[0].id);
    return Boolean(landmark) && mayChange(landmark);
  };
  const show = (place) => {
    points.dragged = place;
    points.redraw();
  };
  // Capture and stop the events, so that the map does not move as well.
  const keep = (event) => { if (from) event.stopImmediatePropagation(); };
  box.addEventListener("pointerdown", (event) => {
    isMoving = false;
    clearTimeout(timer);
    from = event.isPrimary && event.button === 0 && isHeld(event) ? map.mouseEventToContainerPoint(event) : null;
    keep(event);
  }, true);
  for (const name of ["mousedown", "touchstart"]) box.addEventListener(name, keep, true);
  document.addEventListener("pointermove", (event) => {
    if (!from) return;
    const point = map.mouseEventToContainerPoint(event);
    isMoving ||= point.distanceTo(from) > least;
    if (isMoving) show(map.containerPointToLatLng(point));
  });
  const end = (event) => {
    if (!from) return;
    from = null;
    if (!isMoving) return;
    if (event.type === "pointerup") drop(map.mouseEventToLatLng(event).wrap());
    // The pin stays where it was dropped until the service has answered.
    clearTimeout(timer);
    timer = setTimeout(() => show(null), event.type === "pointerup" ? 1500 : 0);
  };
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  // Ignore the click that ends a drag.
  box.addEventListener("click", (event) => {
    if (isMoving) event.stopImmediatePropagation();
    isMoving = false;
  }, true);
}
