// SPDX-License-Identifier: Apache-2.0

import Foundation
import MapPage
import TestTurns
import Testing

@testable import Web

/// What a browser loads of the page before anybody moves the map, packed as it is sent.
@Suite(.computing)
struct FirstLoadTests {
    private static let most = 200_000
    /// The script that is loaded when nothing else is to do, or at the first press that needs it.
    private static let later = "/assets/later."
    private static let size = (width: 1440.0, height: 900.0)
    /// The sets of land.js: from which zoom on, and the degrees of a part.
    private static let sets = [(name: "50m", zooms: 4...5, part: 30.0), (name: "10m", zooms: 6...9, part: 10.0)]

    @Test
    func isSmallWhereverThePageOpens() throws {
        let own = try Self.ownFiles().filter { !$0.hasPrefix(Self.later) }
        let core = try own.map { try #require(Self.weight($0), "\($0)") }.reduce(0, +)
        // Without Leaflet on this machine: what Debian's weighs.
        let leaflet = ["/assets/leaflet.js", "/assets/leaflet.css"].compactMap(Self.weight).reduce(0, +)
        let world = try #require(Self.weight("/assets/land/110m.bin"))
        let sydney = try #require(Self.weight("/assets/land/sydney.bin"))
        let always = core + max(leaflet, 45_000) + world
        #expect(always < 130_000)
        for set in Self.sets {
            let columns = Int(360 / set.part), rows = Int(180 / set.part)
            let parts = try (0..<columns * rows).map {
                try #require(Self.weight("/assets/land/\(set.name)/\($0).bin"), "part \($0)")
            }
            #expect(Self.weight("/assets/land/\(set.name)/\(columns * rows).bin") == nil)
            for zoom in set.zooms {
                var worst = (bytes: 0, lat: 0.0, lng: 0.0)
                for lat in stride(from: -84.0, through: 84, by: 2) {
                    let (south, north) = Self.latitudes(around: lat, zoom: zoom)
                    for lng in stride(from: -180.0, to: 180, by: 2.5) {
                        let half = Self.size.width / 2 / Self.world(zoom) * 360
                        func column(_ lng: Double) -> Int { Int(((lng + 180) / set.part).rounded(.down)) }
                        func row(_ lat: Double) -> Int { min(rows - 1, max(0, Int((lat + 90) / set.part))) }
                        var found: Set<Int> = []
                        for each in column(lng - half)...column(lng + half) {
                            for up in row(south)...row(north) {
                                found.insert(up * columns + (each % columns + columns) % columns)
                            }
                        }
                        let bytes = found.reduce(0) { $0 + parts[$1] }
                        if bytes > worst.bytes { worst = (bytes, lat, lng) }
                    }
                }
                let all = always + worst.bytes + (zoom >= 9 ? sydney : 0)
                #expect(all < Self.most, "zoom \(zoom) at \(worst.lat), \(worst.lng)")
            }
        }
    }

    @Test
    func scriptsAndStylesStaySmall() throws {
        let files = try Self.ownFiles().filter { $0.hasSuffix(".js") || $0.hasSuffix(".css") }
        let weights = try files.map { ($0, try #require(Self.weight($0))) }
        let first = weights.filter { !$0.0.hasPrefix(Self.later) }
        #expect(first.count == weights.count - 1)
        #expect(first.reduce(0) { $0 + $1.1 } <= 40_000, "\(weights)")
        #expect(weights.reduce(0) { $0 + $1.1 } <= 56_500, "\(weights)")
    }

    /// The page, and all that it names: its styles, scripts and workers, but not the land.
    private static func ownFiles() throws -> Set<String> {
        var found: Set<String> = [], left = ["/", "/sw.js"]
        while let path = left.popLast() {
            guard found.insert(path).inserted else { continue }
            let asset = try #require(PageAsset.at(path), "\(path)")
            guard asset.contentType.hasPrefix("text/") else { continue }
            for match in String(decoding: asset.body, as: UTF8.self).matches(of: /"(\/assets\/[a-z0-9.-]+)"/)
            where !match.1.contains("leaflet") { left.append(String(match.1)) }
        }
        for name in ["page.", "later.", "stream.", "favicon.", "manifest."] {
            #expect(found.contains { $0.contains(name) }, "\(name)")
        }
        return found
    }

    private static func weight(_ path: String) -> Int? {
        guard let asset = PageAsset.at(path) else { return nil }
        guard asset.body.count >= Deflation.leastBytes else { return asset.body.count }
        return Deflation.gzip(asset.body, isLasting: path.hasPrefix("/assets/"))?.count
    }

    private static func world(_ zoom: Int) -> Double { 256 * Double(1 << zoom) }

    /// What a view shows of the web map's square.
    private static func latitudes(around lat: Double, zoom: Int) -> (Double, Double) {
        let sine = sin(lat * .pi / 180)
        let middle = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        let half = size.height / 2 / world(zoom)
        func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
        return (latitude(middle + half), latitude(middle - half))
    }
}
