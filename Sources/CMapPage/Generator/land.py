#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the page's land of Natural Earth (public domain, naturalearthdata.com).

land.py FOLDER-OF-NATURAL-EARTH OUTPUT-FOLDER

Reads ne_110m_land, ne_50m_land and ne_10m_land (.geojson or .geojson.gz). MapPage.docc says what the bytes mean.
"""
import gzip
import json
import pathlib
import sys

# Name, units in a degree, degrees of a cell and of a part, which is as wide as a cell or some of them; 0: one part. At the
# last zoom of a set a pixel is at least four units. The finest set has small parts, because one of 30 degrees is 90 KB.
SETS = [("110m", 100, 360, 0), ("50m", 100, 30, 30), ("10m", 2000, 10, 10)]


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return out


def zigzag(number):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def rings(folder, name):
    plain = folder / f"ne_{name}_land.geojson"
    text = plain.read_bytes() if plain.exists() else gzip.decompress((folder / (plain.name + ".gz")).read_bytes())
    for feature in json.loads(text)["features"]:
        shape = feature["geometry"]
        polygons = [shape["coordinates"]] if shape["type"] == "Polygon" else shape["coordinates"]
        for polygon in polygons:
            for ring in polygon:
                yield [(point[0], point[1]) for point in ring[:-1]]


def clip(ring, axis, edge, sign):
    """What lies on one side of a line (Sutherland and Hodgman); its new edges run along the line."""
    out = []
    for before, point in zip(ring[-1:] + ring[:-1], ring):
        inside, was_inside = sign * (point[axis] - edge) >= 0, sign * (before[axis] - edge) >= 0
        if inside != was_inside:
            share = (edge - before[axis]) / (point[axis] - before[axis])
            cut = [before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])]
            cut[axis] = edge
            out.append(tuple(cut))
        if inside:
            out.append(point)
    return out


def cells(all_rings, size):
    found = {}
    for ring in all_rings:
        west, east = min(p[0] for p in ring), max(p[0] for p in ring)
        column = int((west + 180) // size)
        while column * size - 180 <= east:
            low = column * size - 180
            strip = clip(clip(ring, 0, low, 1), 0, low + size, -1)
            if len(strip) > 2:
                row = int((min(p[1] for p in strip) + 90) // size)
                while row * size - 90 <= max(p[1] for p in strip):
                    low = row * size - 90
                    piece = clip(clip(strip, 1, low, 1), 1, low + size, -1)
                    if len(piece) > 2:
                        found.setdefault((row, column), []).append(piece)
                    row += 1
            column += 1
    return [(key, found[key]) for key in sorted(found)]


def encoded(pieces, scale):
    out, count = bytearray(), 0
    for piece in pieces:
        points = []
        for point in piece:
            here = round(point[0] * scale), round(point[1] * scale)
            if not points or points[-1] != here:
                points.append(here)
        if len(points) < 3:
            continue
        count += 1
        out += varint(len(points))
        last = 0, 0
        for point in points:
            out += zigzag(point[0] - last[0]) + zigzag(point[1] - last[1])
            last = point
    return count, out


def part(found, scale):
    out = bytearray([1]) + varint(scale)
    for _, pieces in found:
        count, bytes_ = encoded(pieces, scale)
        if count:
            out += varint(count) + bytes_
    return out + varint(0)


def parts(found, scale, size, wide):
    """One after the other, with their lengths before them: squares of `wide` degrees, from the south and the west."""
    step = wide // size
    made = [part([each for each in found if (each[0][0] // step, each[0][1] // step) == (row, column)], scale)
            for row in range(180 // wide) for column in range(360 // wide)]
    return bytes([2, wide]) + b"".join(len(each).to_bytes(4, "little") for each in made) + b"".join(made)


def main():
    source, target = map(pathlib.Path, sys.argv[1:3])
    for name, scale, size, wide in SETS:
        found = cells(rings(source, name), size)
        out = parts(found, scale, size, wide) if wide else part(found, scale)
        (target / f"{name}.bin").write_bytes(out)
        print(name, len(out), "bytes,", len(gzip.compress(out)), "packed")


main()
