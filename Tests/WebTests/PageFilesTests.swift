// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import MapPage
@testable import Web

/// The page's files under names that tell their bytes.
@Suite(.computing)
struct PageFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/CMapPage/Assets").path(percentEncoded: false)

    private static func names(in file: PageAsset) -> [String] {
        file.text.matches(of: /"(\/assets\/[a-z0-9.\/-]+)"/).map { String($0.1) }
    }

    @Test
    func eachFileOfTheFolderIsInTheProgram() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).filter { $0.contains(".") }
        #expect(names.count > 40)
        #expect(names.filter { PageAsset.at("/assets/\($0)") == nil } == [])
    }

    @Test
    func browsersKeepForEverOnlyNamesWithADigest() throws {
        let page = try #require(PageAsset.at("/"))
        #expect(!page.isImmutable && WebAnswer(page, tiles: nil).headers[.cacheControl] == nil)
        var left = Self.names(in: page), seen: Set<String> = []
        // Leaflet may be missing on this machine.
        while let path = left.popLast() {
            guard !path.hasPrefix("/assets/leaflet."), seen.insert(path).inserted else { continue }
            let file = try #require(PageAsset.at(path), "\(path)")
            #expect(file.isImmutable, "\(path)")
            #expect(path.contains(file.digest) || path.hasPrefix("/assets/land."), "\(path)")
            let answer = WebAnswer(file, tiles: nil)
            #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(answer.headers[.vary] == "Accept-Encoding")
            if file.contentType.hasPrefix("text/") || path.contains("webmanifest") { left += Self.names(in: file) }
        }
        for name in ["page.", "stream.", "manifest.", "icon-512.", "land."] {
            #expect(seen.contains { $0.hasPrefix("/assets/\(name)") }, "\(name)")
        }
        let plain = try #require(PageAsset.at("/assets/page.js"))
        #expect(!plain.isImmutable && plain.text.contains("import "))
        // A page that is older than this program asks for these.
        let zeros = ".000000000000"
        for (name, rest) in [("land", "/10m/200.bin"), ("stream", ".js")] {
            let file = try #require(PageAsset.at("/assets/\(name)\(zeros)\(rest)"), "\(name)")
            #expect(!file.isImmutable && file.body == PageAsset.at("/assets/\(name)\(rest)")?.body)
        }
        for path in ["/assets/land.", "/assets/land./", "/assets/land\(zeros)/../x.bin", "/assets/page\(zeros)g.js"] {
            #expect(PageAsset.at(path) == nil, "\(path)")
        }
    }

    @Test
    func theSharedPageHasAScriptOfItsOwn() throws {
        let page = try #require(PageAsset.at("/share"))
        #expect(!page.isImmutable && page.contentType.hasPrefix("text/html"))
        let path = try #require(Self.names(in: page).first { $0.hasPrefix("/assets/share.") && $0.hasSuffix(".js") })
        let script = try #require(PageAsset.at(path))
        let packed = try #require(script.text.split(separator: "\n").dropFirst().first)
        for sign in ["import", "export{", "later.", "/v1/session", "localStorage"] {
            #expect(!packed.contains(sign), "\(sign)")
        }
        #expect(packed.contains("/v1/shared/changes"))
        // With the modules that draw the land.
        #expect(try #require(Deflation.gzip(script.body, isLasting: true)).count <= 6_500)
        let tiles = try TileServer(url: "https://tile.example/{z}/{x}/{y}.png", attribution: "Example")
        #expect(PageAsset.at("/share", tiles: tiles)?.text.contains("data-tiles=") == true)
    }

    @Test
    func theScriptHasAllModules() throws {
        let page = try #require(PageAsset.at("/"))
        let path = try #require(Self.names(in: page).first { $0.hasPrefix("/assets/page.") && $0.hasSuffix(".js") })
        let script = try #require(PageAsset.at(path)).text
        let packed = try #require(script.split(separator: "\n").dropFirst().first)
        for sign in ["import{", "import ", "export{", "from\"./"] { #expect(!packed.contains(sign), "\(sign)") }
        for name in ["/v1/near?", "import(\"/assets/stream.", "/assets/stream.", "/assets/land.", "\"/assets/later."] {
            #expect(script.contains(name), "\(name)")
        }
        let later = try #require(script.firstMatch(of: /"(\/assets\/later\.[0-9a-f]+\.js)"/)?.1)
        #expect(PageAsset.at(String(later))?.text.contains("export default") == true)
        // A page of another version does not fit to it.
        #expect(PageAsset.at("/assets/later.000000000000.js") == nil)
    }
}
