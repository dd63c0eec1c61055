// SPDX-License-Identifier: Apache-2.0

import TestBrowser

/// The mouse on the map. Places are pixels east and south of the map's middle.
extension Browser {
    private struct Middle: Decodable {
        var x: Double
        var y: Double
    }

    /// Presses and releases a button, `times` times in quick succession.
    func pressMap(_ east: Double, _ south: Double, button: String = "left", times: Int = 1) async throws {
        try await pointMap(east, south)
        for number in 1...times {
            for type in ["mousePressed", "mouseReleased"] { try await mouse(type, east, south, button, number) }
        }
    }

    func pointMap(_ east: Double, _ south: Double) async throws {
        try await mouse("mouseMoved", east, south, "none", 0)
    }

    private func mouse(_ type: String, _ east: Double, _ south: Double, _ button: String, _ count: Int) async throws {
        let middle: Middle = try await value(
            """
            const box = document.querySelector('#map').getBoundingClientRect();
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
            """)
        try await command(
            "Input.dispatchMouseEvent",
            ["type": type, "x": middle.x + east, "y": middle.y + south, "button": button, "clickCount": count])
    }

    /// Waits until one of the map's canvases has something, or nothing, at a place.
    ///
    /// - Parameters:
    ///   - layer: "land", "points" or "overlay".
    ///   - isThere: whether something is to be there.
    func waitForInk(_ layer: String, _ east: Int, _ south: Int, isThere: Bool = true) async throws {
        try await wait(
            "\(isThere ? "something" : "nothing") at \(east), \(south) of \(layer)",
            """
            ((canvas, east, south) => (canvas.width > 0 && canvas.getContext('2d')
              .getImageData(canvas.width / 2 + east, canvas.height / 2 + south, 1, 1).data[3] > 150) === \(isThere)
            )(document.querySelector(`#map canvas[data-layer=${arguments[0]}]`),
              Number(arguments[1]), Number(arguments[2]))
            """, layer, "\(east)", "\(south)")
    }
}
