// SPDX-License-Identifier: Apache-2.0

import { find } from "./dom.js";

const heights = ["low", "half", "full"];
/// The speed in pixels per millisecond from which a drag is a throw, and the pixels from which a touch is a drag.
const quick = 0.5, least = 6;

/// Returns the place of the height at which a drag ends: the nearest one, or after a quick throw the next one in its
/// direction.
///
/// - `pixels`: the heights, the lowest first.
/// - `speed`: pixels per millisecond, upward.
export function settled(pixels, at, speed) {
  const above = pixels.filter((each) => each <= at).length, below = pixels.filter((each) => each < at).length - 1;
  if (Math.abs(speed) > quick) return Math.max(0, Math.min(pixels.length - 1, speed > 0 ? above : below));
  return pixels.reduce((best, each, index) => (Math.abs(each - at) < Math.abs(pixels[best] - at) ? index : best), 0);
}

/// On a phone the panel is a sheet over the map, with three heights. A person drags its grip or its header, taps the grip,
/// or uses the arrow keys on it. The style sheet decides how high each height is, and which screens are those of phones.
/// Returns `show`, which raises the sheet to a height if it is lower.
export function startSheet(state) {
  const panel = find("panel"), grip = find("grip"), phone = matchMedia("(max-width: 45em)");
  const part = () => ["editor", "detail"].find((each) => !find(each).hidden);
  let drag = null, isDragged = false, shown = part();
  const at = () => heights.indexOf(panel.dataset.height);

  function show(height) {
    panel.dataset.height = height;
    grip.setAttribute("aria-valuenow", at());
    grip.setAttribute("aria-valuetext", height);
    // The map takes the room that the sheet leaves. Leaflet measures it at this event.
    if (phone.matches) dispatchEvent(new Event("resize"));
  }

  function begin(event) {
    if (!phone.matches || event.button || event.target.closest("button")) return;
    const from = panel.offsetHeight, { height } = panel.dataset;
    isDragged = false;
    panel.classList.add("dragged");
    const pixels = heights.map((each) => {
      panel.dataset.height = each;
      return panel.offsetHeight;
    });
    panel.dataset.height = height;
    drag = { from, pixels, start: event.clientY, y: event.clientY, time: event.timeStamp, speed: 0, now: from };
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function move({ clientY, timeStamp }) {
    if (!drag || Math.abs(clientY - drag.start) < least && !isDragged) return;
    isDragged = true;
    if (timeStamp > drag.time) drag.speed = (drag.y - clientY) / (timeStamp - drag.time);
    [drag.y, drag.time] = [clientY, timeStamp];
    drag.now = Math.max(drag.pixels[0], Math.min(drag.pixels[2], drag.from + drag.start - clientY));
    document.body.style.setProperty("--sheet", `${drag.now}px`);
  }
  function end({ timeStamp }) {
    if (!drag) return;
    const { pixels, now, speed, time } = drag;
    drag = null;
    panel.classList.remove("dragged");
    document.body.style.removeProperty("--sheet");
    // A finger that rested before it left has thrown nothing.
    if (isDragged) show(heights[settled(pixels, now, timeStamp - time > 100 ? 0 : speed)]);
  }
  for (const handle of [grip, panel.querySelector("header")]) {
    for (const [name, handler] of Object.entries({ pointerdown: begin, pointermove: move, pointerup: end, pointercancel: end })) {
      handle.addEventListener(name, handler);
    }
  }
  const next = () => show(heights[(at() + 1) % heights.length]);
  grip.addEventListener("click", () => { if (!isDragged) next(); });
  grip.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -2, End: 2 }, isPress = event.key === "Enter" || event.key === " ";
    if (!isPress && !(event.key in steps)) return;
    event.preventDefault();
    isDragged = false;
    if (isPress) next(); else show(heights[Math.max(0, Math.min(2, at() + steps[event.key]))]);
  });

  // The sheet never hides the element that has the focus. The keyboard of a phone hides the lower half of the screen.
  addEventListener("focusin", ({ target }) => {
    if (!phone.matches) return;
    const isInside = panel.contains(target) && target !== grip && !target.closest("header");
    if (target === find("query")) show("full");
    else if (isInside && at() === 0) show("half");
    else if (at() === 2 && target.closest("#map, #tools, #task, #popover")) show("half");
  });
  // A person who reads about a landmark also sees where it is. A form needs the room, and a tool needs the map.
  const fit = () => { if (phone.matches) show(state?.mode ? "low" : part() === "editor" ? "full" : "half"); };
  const watch = new MutationObserver(() => {
    if (part() === shown) return;
    shown = part();
    fit();
  });
  for (const each of ["detail", "editor"]) watch.observe(find(each), { attributeFilter: ["hidden"] });
  state?.addEventListener("change", ({ detail: { names } }) => { if (names.has("mode")) fit(); });

  const menu = find("tools-menu"), open = (isOpen) => {
    menu.setAttribute("aria-expanded", String(isOpen));
    // The tool that was pressed is hidden now.
    if (!isOpen && find("more-tools").contains(document.activeElement)) menu.focus();
  };
  addEventListener("click", ({ target }) => open(menu.contains(target) && menu.getAttribute("aria-expanded") !== "true"));
  find("tools").addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || menu.getAttribute("aria-expanded") !== "true") return;
    open(false);
    menu.focus();
  });
  return { show: (height) => { if (heights.indexOf(height) > at()) show(height); } };
}
