#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws favicon.svg's pin as PNG, for systems that install the page and show no SVG: icons.py FOLDER."""

import math
import struct
import sys
import zlib

BLUE, WHITE = (11, 99, 184), (255, 255, 255)


def is_pin(x, y):
    """Whether the shape of favicon.svg, whose side is 32, contains a point: a disc, and two curves to its tip."""
    if math.hypot(x - 16, y - 12) <= 11:
        return True
    if not 12 <= y <= 31:
        return False
    low, high = 0.0, 1.0  # The curve from (27, 12) over (27, 20) and (16, 31) to (16, 31), by its height.
    for _ in range(20):
        t = (low + high) / 2
        at = 12 * (1 - t) ** 3 + 60 * (1 - t) ** 2 * t + 93 * (1 - t) * t * t + 31 * t**3
        low, high = (t, high) if at < y else (low, t)
    return abs(x - 16) <= 27 * (1 - low) ** 3 + 81 * (1 - low) ** 2 * low + 48 * (1 - low) * low * low + 16 * low**3 - 16


def shade(x, y):
    """How white a point is: the pin is white on blue, with a blue hole, inside the circle that masks keep."""
    x, y = (x - 0.5) * 52 + 16, (y - 0.5) * 52 + 16
    return is_pin(x, y) and math.hypot(x - 16, y - 12) > 4.5


def png(side):
    """16 shades between blue and white, four bits a pixel."""
    rows = bytearray()
    for row in range(side):
        line = [round(15 / 16 * sum(shade((column + (a + 0.5) / 4) / side, (row + (b + 0.5) / 4) / side)
                for a in range(4) for b in range(4))) for column in range(side)]
        rows += b"\0" + bytes(line[at] << 4 | line[at + 1] for at in range(0, side, 2))
    palette = b"".join(bytes(round(b + (w - b) * step / 15) for b, w in zip(BLUE, WHITE)) for step in range(16))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 4, 3, 0, 0, 0))
            + chunk(b"PLTE", palette) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


for side in (192, 512):
    with open(f"{sys.argv[1]}/icon-{side}.png", "wb") as file:
        file.write(png(side))
