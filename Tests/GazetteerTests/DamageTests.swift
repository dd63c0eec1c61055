// SPDX-License-Identifier: Apache-2.0

import Geodesy
import TestTurns
import Testing

@testable import Gazetteer
@testable import waymark_gazetteer

/// A file may come from anywhere: damage is refused, and never ends the program.
@Suite(.computing)
struct DamageTests {
    private let unpacked: [UInt8]

    init() throws {
        unpacked = try SmallGazetteer.bytes().withUnsafeBufferPointer { try GazetteerPacking.unpacked($0) }
    }

    @Test("Each byte changed, the file is refused or works")
    func changedBytes() throws {
        var refused = 0
        for index in unpacked.indices {
            var bytes = unpacked
            bytes[index] = [0, 0xff, bytes[index] ^ 1][index % 3]
            guard let gazetteer = try? Gazetteer(unpacked: bytes) else {
                refused += 1
                continue
            }
            for text in ["Sydney", "s", "Melbuorne", "patiala punjab"] { _ = gazetteer.find(text) }
            _ = gazetteer.surroundings(of: try Coordinate(latitude: -33.9, longitude: 151))
        }
        #expect(refused > 100)
    }

    @Test("Keys that are not in order are refused: a search would miss them")
    func order() throws {
        let size = { (word: Int) in (0..<4).reduce(0) { $0 | Int(unpacked[4 * word + $1]) << (8 * $1) } }
        var bytes = unpacked
        // The first letter of the first key.
        bytes[bytes.count - size(7) - size(8)] = 0xff
        #expect(throws: GazetteerError.damaged) { try Gazetteer(unpacked: bytes) }
    }

    @Test("A shorter file is refused")
    func cutOff() throws {
        for count in 1..<unpacked.count {
            #expect(throws: GazetteerError.damaged) {
                try Gazetteer(unpacked: Array(unpacked[..<count]))
            }
        }
        let file = try SmallGazetteer.bytes()
        for count in 0..<file.count {
            #expect(throws: GazetteerError.damaged) { try Gazetteer(bytes: Array(file[..<count])) }
        }
    }

    @Test("A change in the packed file is found by its checksum, if it changes what is unpacked")
    func packed() throws {
        let file = try SmallGazetteer.bytes()
        var refused = 0
        for index in file.indices {
            var bytes = file
            bytes[index] ^= 0x10
            do {
                // Some bits of a packed file mean nothing.
                #expect(try bytes.withUnsafeBufferPointer { try GazetteerPacking.unpacked($0) } == unpacked, "\(index)")
            } catch {
                #expect(error as? GazetteerError == .damaged)
                refused += 1
            }
        }
        #expect(refused > file.count - 8)
    }

    @Test("A few bytes cannot unpack to many")
    func bomb() throws {
        var bytes = try GazetteerPacking.packed([UInt8](repeating: 0, count: 1 << 20))
        // Says that it is 1 byte, then that it is 4 GB.
        bytes.replaceSubrange(8..<12, with: [1, 0, 0, 0])
        #expect(throws: GazetteerError.damaged) { try Gazetteer(bytes: bytes) }
        bytes.replaceSubrange(8..<12, with: [255, 255, 255, 255])
        #expect(throws: GazetteerError.damaged) { try Gazetteer(bytes: bytes) }
    }

    @Test("A path that is no gazetteer")
    func paths() throws {
        #expect(throws: GazetteerError.unreadable(path: "/nonexistent")) { try Gazetteer(path: "/nonexistent") }
        #expect(throws: GazetteerError.unreadable(path: "/tmp")) { try Gazetteer(path: "/tmp") }
        #expect(throws: GazetteerError.unreadable(path: "/dev/zero")) { try Gazetteer(path: "/dev/zero") }
    }
}
