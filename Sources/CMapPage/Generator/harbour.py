#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the page's coast of Sydney of the World Vector Shoreline (NGDC, public domain).

harbour.py WVS1.DAT OUTPUT-FILE

wvs1.dat is in Debian's package xtide-coastline. It is in squares of one degree, each a chain of short records; needs
shapely. MapPage.docc says what the bytes of the output mean.
"""
import pathlib
import sys

from shapely.geometry import LineString, Point, box
from shapely.ops import polygonize, unary_union

SOUTH, WEST, NORTH, EAST = -35, 151, -33, 152
INLAND = 151.01, -33.5
PAGE = 3072
SECONDS = 3600


class Square:
    """Reads the lines of one square, in seconds of arc."""

    def __init__(self, data, south, west):
        self.data, self.size = data, data[3]
        self.row, self.column = south + 90, west + 180
        self.record = self.row * 360 + self.column + 1 + (180 * 360 - 1) // (self.size * 8) + 2
        self.unit = SECONDS * data[5]
        self.at = self.start()

    def start(self):
        held = PAGE // self.size
        return (self.record - 1) // held * PAGE + (self.record - 1) % held * self.size

    def pointer(self):
        return self.start() + self.size - 4

    def is_last(self):
        return self.at - self.start() + 1 == self.data[self.pointer()]

    def follow(self):
        """To the next record of the chain where this one has ended."""
        if self.at == self.pointer():
            self.record = int.from_bytes(self.data[self.at + 1:self.at + 4], "big")
            self.at = self.start()

    def pair(self):
        found = self.data[self.at], self.data[self.at + 1]
        self.at += 2
        return found

    def lines(self):
        lines, lat, lng = [], 0, 0
        while True:
            high, low = self.pair()
            count, goes_on = high % 128 * 4 + low // 64 + 1, high > 127
            self.follow()
            a, b = self.pair()
            self.follow()
            c, d = self.pair()
            north, east = a * 256 + b, c * 256 + d
            if goes_on:
                lat += north + low % 64 // 8 * 65536 - 262144
                lng += east + low % 8 * 65536 - 262144
            else:
                lat, lng = (self.row - 90) * self.unit + north, (self.column - 180) * self.unit + east
            end = self.data[self.pointer()]
            if end and self.at - self.start() + 1 > end:
                return lines
            if not goes_on:
                lines.append([])
            lines[-1].append((lng, lat))
            is_last = self.is_last()
            self.follow()
            for _ in range(count - 1):
                north, east = self.pair()
                lat, lng = lat + north - 128, lng + east - 128
                lines[-1].append((lng, lat))
                if self.is_last():
                    is_last = True
                    break
                self.follow()
            if is_last:
                return lines


def land(lines):
    """A coast lies between each two faces, so that land and water take turns from a place that is known."""
    frame = box(*(edge * SECONDS for edge in (WEST, SOUTH, EAST, NORTH)))
    coast = [LineString(line).intersection(frame) for line in lines if len(set(line)) > 1]
    faces = list(polygonize(unary_union(coast + [frame.boundary])))
    place = Point(*(degrees * SECONDS for degrees in INLAND))
    dry = {index: True for index, face in enumerate(faces) if face.contains(place)}
    todo = list(dry)
    while todo:
        one = todo.pop()
        for other, face in enumerate(faces):
            if other not in dry and faces[one].boundary.intersection(face.boundary).length > 0:
                dry[other] = not dry[one]
                todo.append(other)
    whole = unary_union([face for index, face in enumerate(faces) if dry.get(index)])
    for polygon in getattr(whole, "geoms", [whole]):
        yield from (polygon.exterior, *polygon.interiors)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return out + bytes([number])


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    lines = [line for south in range(SOUTH, NORTH) for west in range(WEST, EAST) for line in Square(data, south, west).lines()]
    rings = [[(round(x), round(y)) for x, y in ring.coords[:-1]] for ring in land(lines)]
    out = bytearray([1]) + varint(SECONDS) + varint(len(rings))
    for ring in rings:
        out += varint(len(ring))
        last = 0, 0
        for point in ring:
            for step in (point[0] - last[0], point[1] - last[1]):
                out += varint(step << 1 if step >= 0 else (-step << 1) - 1)
            last = point
    pathlib.Path(sys.argv[2]).write_bytes(out + varint(0))


main()
