// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct ZipArchiveTests {
    private static let table = Array("name,lat,lng\nPier,1,2\n".utf8)
    private static let kml = Array(
        "<kml><Placemark><name>Pier</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>".utf8)
    private static let damaged = SourceFormatError.badZip("it is cut off or damaged: fetch it again")
    private static let overlap = SourceFormatError.badZip("its files overlap or have two names")

    private func problem(_ files: [ZipFile], limit: Int = 1 << 20) -> SourceFormatError? {
        do throws(SourceFormatError) {
            _ = try ZipArchive(ZipFile.archive(files)).readableFile(limit: limit)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ change: (inout ZipFile) -> Void, gzip: Bool = false) -> ZipFile {
        var file = gzip ? ZipFile("a.json", gzip: GzipTests.bondi) : ZipFile("a.csv", Self.table)
        change(&file)
        return file
    }

    @Test func theOneFileIsReadAsThePlainOneIs() throws {
        let stored = ZipFile.archive([ZipFile("lists/", []), ZipFile("lists/a.csv", Self.table)], comment: "by hand")
        #expect(try SourceFormat.auto.rows(in: stored).names == ["Pier"])
        #expect(try SourceFormat.csv.rows(in: stored).format.hasPrefix("csv"))
        let deflated = ZipFile.archive([ZipFile("A.JSON", gzip: GzipTests.bondi), ZipFile("read.me", [1, 2])])
        #expect(try SourceFormat.auto.rows(in: deflated).names == ["Bondi"])
        #expect(try SourceFormat.auto.rows(in: ZipFile.archive([ZipFile("a.kml", Self.kml)])).names == ["Pier"])
    }

    @Test func aMainFileIsReadThoughOthersAreBesideIt() throws {
        let kmz = [ZipFile("files/more.kml", [1]), ZipFile("doc.kml", Self.kml), ZipFile("files/icon.png", [1])]
        #expect(try SourceFormat.auto.rows(in: ZipFile.archive(kmz)).names == ["Pier"])
        let takeout = [
            ZipFile("Takeout/Maps/Reviews.json", [1]), ZipFile("Takeout/Maps/Saved Places.json", Self.table),
        ]
        #expect(try SourceFormat.csv.rows(in: ZipFile.archive(takeout)).names == ["Pier"])
        let mac = [ZipFile("a.csv", Self.table), ZipFile("__MACOSX/._a.csv", [1])]
        #expect(try SourceFormat.auto.rows(in: ZipFile.archive(mac)).names == ["Pier"])
    }

    @Test func withoutOneFileTheReasonIsSaid() {
        let several = problem([ZipFile("a.csv", Self.table), ZipFile("b/c.csv", Self.table)])
        #expect(
            several
                == .badZip("it holds 2 files that could be meant (a.csv, b/c.csv): unpack it, and give one of them"))
        let none = SourceFormatError.badZip(
            "no file in it ends in .kml, .gpx, .json, .geojson, .ndjson, .csv, .tsv")
        #expect(problem([]) == none && problem([ZipFile("a.shp", [1]), ZipFile("csv", [])]) == none)
    }

    @Test func whatTheBytesDoNotGiveIsRefused() {
        for gzip in [false, true] {
            #expect(problem([file({ $0.checksum ^= 1 }, gzip: gzip)]) == Self.damaged)
            #expect(problem([file({ $0.size += 1 }, gzip: gzip)]) == Self.damaged)
            #expect(problem([file({ $0.size -= 1 }, gzip: gzip)]) == Self.damaged)
            #expect(problem([file({ $0.data[5] ^= 1 }, gzip: gzip)]) == Self.damaged)
        }
        // Bytes after the end of the deflated ones, and an end that is missing.
        #expect(problem([file({ $0.data.append(0) }, gzip: true)]) == Self.damaged)
        #expect(problem([file({ $0.data.removeLast() }, gzip: true)]) == Self.damaged)
        #expect(problem([file { $0.offset = 1 << 30 }]) == Self.damaged)
        #expect(problem([file { $0.offset = 1 }]) == Self.damaged)
        #expect(problem([file { $0.flags = 1 }]) == .badZip("it is encrypted: unpack it, and give the file inside"))
        let method = problem([file { $0.method = 12 }])
        #expect(method?.description.contains("another method than deflate") == true)
    }

    @Test func bombsAreRefusedByTheLimitOfSize() {
        let zeros = ZipFile("a.csv", gzip: GzipTests.zeros)
        #expect(problem([zeros], limit: 200_000) == nil)
        #expect(problem([zeros], limit: 199_999) == .unpackedTooLarge(limit: 199_999))
        // The size is a lie: no more than it says is unpacked.
        var small = zeros
        small.size = 1_000
        #expect(problem([small], limit: 1_000) == Self.damaged)
        // No deflated bytes stand for so many.
        var large = zeros
        large.size = 1_000_000
        #expect(problem([large]) == Self.damaged)
        #expect(throws: SourceFormatError.unpackedTooLarge(limit: 1_000)) {
            try SourceFormat.auto.rows(in: ZipFile.archive([zeros]), upTo: 1_000)
        }
    }

    @Test func filesThatOverlapAreRefused() {
        let other = ZipFile("b.png", [1, 2, 3])
        #expect(problem([file { $0.packed = Self.table.count + 40 }, other]) == Self.overlap)
        #expect(problem([file { _ in }, file { ($0.name, $0.offset) = ("b.png", 0) }]) == Self.overlap)
        #expect(problem([other, file { $0.offset = 0 }]) == Self.overlap)
        #expect(problem([file { $0.ownName = "b.csv" }]) == Self.overlap)
    }

    @Test func theFormForMoreThanFourGigabytesIsRefused() {
        for change: (inout ZipFile) -> Void in [
            { $0.size = 0xffff_ffff }, { $0.packed = 0xffff_ffff }, { $0.offset = 0xffff_ffff },
        ] {
            #expect(problem([file(change)])?.description.contains("zip64") == true)
        }
        var many = ZipFile.archive([])
        many.replaceSubrange(8..<12, with: [0xff, 0xff, 0xff, 0xff])
        #expect(SourceFormat.auto.problem(with: many)?.description.contains("zip64") == true)
    }

    /// Nothing of a damaged archive is read as if it were whole, and nothing traps.
    @Test func aPartOrADamagedByteIsRefused() throws {
        let whole = ZipFile.archive([ZipFile("a.json", gzip: GzipTests.bondi), ZipFile("b.png", [1, 2, 3])])
        let rows = try SourceFormat.auto.rows(in: whole)
        for count in 4..<whole.count { #expect(SourceFormat.auto.problem(with: Array(whole[..<count])) != nil) }
        for place in whole.indices {
            for bit in [1, 0x80] as [UInt8] {
                var damaged = whole
                damaged[place] ^= bit
                // A bit of a time or of another file changes nothing.
                if let read = try? SourceFormat.auto.rows(in: damaged) { #expect(read == rows) }
            }
        }
    }
}
