// SPDX-License-Identifier: Apache-2.0
// @ts-check

/// The pictures of common kinds: the words of the kinds, and the path on a square of 24, to be filled by the even-odd
/// rule. The first picture that has a word of the kind is the kind's, so a whole name stands before the words of others.
const table = [
  ["gas_station fuel petrol charging_station", "M5 3h9v8h2a2 2 0 0 1 2 2v4h1V9l-2-2 1-1 3 3v8a2 2 0 0 1-2 2h-1a2 2 0 0 1-2-2v-4h-2v8H5zM7 5v5h5V5z"],
  ["fire_station police courthouse embassy guard", "M12 2l8 3v6c0 5-3 9-8 11-5-2-8-6-8-11V5zM12 6l-1.5 3.3-3.5.4 2.6 2.4-.7 3.5 3.1-1.7 3.1 1.7-.7-3.5 2.6-2.4-3.5-.4z"],
  ["cafe coffee tea bakery", "M4 7h13v1h1a3.5 3.5 0 0 1 0 7h-1.5a5 5 0 0 1-4.5 3H9a5 5 0 0 1-5-5zM17 10v3h1a1.5 1.5 0 0 0 0-3zM3 20h15v2H3zM7 2h2v3H7zM12 2h2v3h-2z"],
  ["bar pub night_club nightclub biergarten liquor_store wine winery brewery", "M4 3h16l-7 9v7h4v2H7v-2h4v-7zM8 5l1.5 2h5L16 5z"],
  ["restaurant food meal_takeaway meal_delivery fast_food canteen", "M6 2h1.5v6h1V2H10v6h1V2h1.5v7a3 3 0 0 1-2 3v10h-2.5V12a3 3 0 0 1-2-3zM16 2c2 1 3 4 3 7v5h-1v8h-2.5z"],
  ["lodging hotel motel hostel guest_house", "M2 5h2v9h7V8h7a4 4 0 0 1 4 4v8h-2v-3H4v3H2zM7.5 8a2.5 2.5 0 1 0 .001 0z"],
  ["park garden forest nature_reserve tree playground", "M12 2l6 8h-3l4 6h-6v6h-2v-6H5l4-6H6z"],
  ["beach swimming_pool water waterfall spring lake bay", "M12 3a9 9 0 0 1 9 8h-8v5h-2v-5H3a9 9 0 0 1 9-8zM2 18c3-2 4-2 6.7 0s4 2 6.6 0 4-2 6.7 0v2.5c-3-2-4-2-6.7 0s-4 2-6.6 0-4-2-6.7 0z"],
  ["church cathedral chapel", "M11 1h2v2h2v2h-2v3l5 4v2l3 2v6h-7v-4h-4v4H3v-6l3-2v-2l5-4V5H9V3h2z"],
  ["museum bank city_hall local_government_office gallery art_gallery monument castle historic memorial", "M12 2l10 5v2H2V7zM4 11h3v7H4zM10.5 11h3v7h-3zM17 11h3v7h-3zM2 20h20v2H2z"],
  ["school university college kindergarten primary_school secondary_school library book_store", "M12 3l11 5.5L12 14 1 8.5zM5 13l7 3.5 7-3.5v4c-2 2.5-4.5 3.5-7 3.5S7 19.5 5 17zM21 10h1.5v7H21z"],
  ["hospital doctor doctors clinic pharmacy drugstore dentist physiotherapist veterinary_care veterinary health", "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"],
  ["bus_station bus_stop bus taxi_stand", "M6 3h12a2 2 0 0 1 2 2v13h-2v3h-3v-3H9v3H6v-3H4V5a2 2 0 0 1 2-2zM6 6v6h12V6zM7.5 14a1 1 0 1 0 .001 0zM16.5 14a1 1 0 1 0 .001 0z"],
  ["train_station light_rail_station subway_station transit_station station railway tram_stop", "M8 2h8a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3l3 5h-2.5l-1.2-2H8.7l-1.2 2H5l3-5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3zM7 5v5h10V5zM9 12a1 1 0 1 0 .001 0zM15 12a1 1 0 1 0 .001 0z"],
  ["airport aerodrome airfield helipad", "M11 2a1 1 0 0 1 2 0l.5 7 8.5 5v2.5l-8.5-2.5-.5 5 2.5 2v1.5L12 21.5 8.5 22.5V21l2.5-2-.5-5L2 16.5V14l8.5-5z"],
  ["ferry ferry_terminal harbour harbor port marina boat ship pier", "M11 2h2v3h4v5l4 1.5L19 18c-2 1.5-3 1.5-5 0-1.5-1-2.5-1-4 0-2 1.5-3 1.5-5 0l-2-6.5L7 10V5h4zM9 7v2.5l3-1 3 1V7zM3 20c3 2 4 2 6 .5s4-1.5 6 0 3 1.5 6-.5v2c-3 1.5-4 1.5-6 0s-4-1.5-6 0-3 1.5-6 0z"],
  ["parking car_rental car_dealer car_repair car_wash garage", "M6 2h7a6.5 6.5 0 0 1 0 13h-3v7H6zM10 6v5h3a2.5 2.5 0 0 0 0-5z"],
  ["view viewpoint tourist_attraction attraction observation", "M12 5c5 0 8.5 3.5 11 7-2.5 3.5-6 7-11 7S3.5 15.5 1 12c2.5-3.5 6-7 11-7zM12 8a4 4 0 1 0 .001 0zM12 10a2 2 0 1 1-.001 0z"],
  ["peak mountain volcano hill campground camp_site rv_park hut", "M9 5l5 9 2.5-4L23 20H1z"],
  ["movie_theater cinema movie_rental theatre theater amusement_park casino bowling_alley", "M3 4h18v16H3zM5 6v2h2V6zM5 11v2h2v-2zM5 16v2h2v-2zM17 6v2h2V6zM17 11v2h2v-2zM17 16v2h2v-2zM9.5 8v8l6-4z"],
  ["post_office post mailbox", "M2 5h20l-10 8zM2 8l10 8 10-8v11H2z"],
  ["supermarket convenience_store department_store shopping_mall shop store mall market marketplace clothing_store", "M8 8V6a4 4 0 0 1 8 0v2h4l1 14H3L4 8zM10 8h4V6a2 2 0 0 0-4 0z"],
  ["town city village suburb", "M3 9l6-4 4 3V3h8v19h-7v-5h-3v5H3zM6 11v3h3v-3zM15 6v2h3V6zM15 11v2h3v-2z"],
  ["building house home office residential", "M12 2l11 10h-3v10h-6v-7h-4v7H4V12H1z"],
].map(([words, path]) => ({ words: words.split(" "), path }));

/** @type {Map<string, string | null>} */
const known = new Map();

/// The path of a kind's picture on a square of 24; null if there is none. A kind of several words, such as
/// `fish_market`, has the picture of its last word that has one.
/** @param {string | null | undefined} kind @returns {string | null} */
export function glyph(kind) {
  if (!kind) return null;
  let path = known.get(kind);
  if (path === undefined) {
    const name = kind.toLowerCase().replaceAll(" ", "_"), words = [name, ...name.split("_").reverse()];
    path = words.map((word) => table.find((each) => each.words.includes(word))?.path).find(Boolean) ?? null;
    if (known.size < 1000) known.set(kind, path);
  }
  return path;
}

/// The letter that stands for a kind without a picture.
/** @param {string | null | undefined} kind */
export const letter = (kind) => [...kind ?? ""][0]?.toLocaleUpperCase() ?? "";

/// Makes the picture of a kind for a row or a tile; without one, its letter in a colour of its own; without a kind, the
/// mark of the landmark's colour.
/** @param {string | null | undefined} kind @param {boolean} isSourced */
export function picture(kind, isSourced = false) {
  const path = glyph(kind);
  if (path) {
    const [svg, shape] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    for (const [name, value] of [["class", "glyph"], ["viewBox", "0 0 24 24"], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
    shape.setAttribute("d", path);
    shape.setAttribute("fill-rule", "evenodd");
    svg.append(shape);
    return svg;
  }
  const made = document.createElement("span");
  made.setAttribute("aria-hidden", "true");
  made.className = kind ? "letter" : isSourced ? "mark" : "mark own";
  made.textContent = letter(kind);
  if (kind) made.style.setProperty("--hue", String([...kind].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) % 360, 7)));
  return made;
}
