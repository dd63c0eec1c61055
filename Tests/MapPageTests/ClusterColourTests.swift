// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import TestWeb
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct ClusterColourTests {
    /// How far east of the map's west edge a colour is drawn, in the middle; -1: nowhere.
    private static let places = """
        (() => {
          const canvases = [...document.querySelectorAll('#map canvas')].slice(1).filter(({ width }) => width);
          return ['own', 'accent', 'mixed'].map((name) => {
            const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim().slice(1);
            const [red, green, blue] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
            let [sum, count] = [0, 0];
            for (const each of canvases) {
              const { data, width } = each.getContext('2d').getImageData(0, 0, each.width, each.height);
              for (let at = 0; at < data.length; at += 4) {
                if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue || data[at + 3] !== 255) continue;
                sum += at / 4 % width;
                count += 1;
              }
            }
            return count ? Math.round(sum / count) : -1;
          });
        })()
        """

    @Test
    func aClusterHasTheColourOfAllInIt() async throws {
        let body = #"""
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Depot"},
            "geometry":{"type":"Point","coordinates":[151.2,-30]}}]}
            """#
        try await TestServer.with { _, _ in
            .message("200 OK", ["Content-Type: application/geo+json"], body)
        } _: { server in
            let settings = "sources:\n  depots:\n    url: \(server.url)\n    every: 0s\n"
            try await withMap(settings: settings) { stage in
                // Two of people in the west, and one beside the source's in the east.
                for (name, lng) in [("A", 137.0), ("B", 138), ("C", 150)] { try await stage.add(name, -30, lng) }
                try await stage.openPage("#at=4/-30/144", listing: 4)
                // Neither colour says something false of the mixed one.
                try await stage.browser.wait(
                    "a cluster of each colour",
                    "(([own, accent, mixed]) => own > 0 && mixed > own + 60 && accent < 0)(\(Self.places))")
            }
        }
    }

    /// A tile does not tell whose they are, of so many at one spot.
    @Test
    func manyAtOneSpotHaveTheNeutralColour() async throws {
        try await withMap { stage in
            for number in 1...9 { try await stage.add("Buoy \(number)", -30, 144) }
            try await stage.openPage("#at=4/-30/144", listing: 9)
            try await stage.browser.wait(
                "the neutral colour", "(([own, accent, mixed]) => mixed > 0 && own < 0 && accent < 0)(\(Self.places))")
        }
    }
}
