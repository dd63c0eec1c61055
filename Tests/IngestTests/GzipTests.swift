// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct GzipTests {
    /// `{"locations": [{"name": "Bondi", "lat": -33.8, "lng": 151.2}]}`, packed with gzip.
    static let bondi = bytes(
        "H4sIAAAAAAACA6tWyslPTizJzM8rVrJSiK5WykvMTQWylJzy81IylXQUlHISS4B8XWNjPQsQLy8dyDM0NdQzqo2tBQCOLccLPgAAAA==")
    /// 200,000 zero bytes, packed into 229.
    static let zeros = bytes(
        "H4sIAAAAAAACA+3BMQEAAADCoPVPbQZ/oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACA1wB7WOBc"
            + "QA0DAA==")

    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private func problem(_ body: [UInt8], limit: Int = 1 << 20) -> SourceFormatError? {
        do throws(SourceFormatError) {
            _ = try Gzip.unpack(body, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func aPackedBodyIsReadAsThePlainOneIs() throws {
        let rows = try SourceFormat.auto.rows(in: Self.bondi)
        #expect(rows.names == ["Bondi"] && rows.format == "seed")
    }

    @Test func aBombIsRefusedByTheLimitOfSize() throws {
        #expect(try Gzip.unpack(Self.zeros, limit: 200_000).count == 200_000)
        #expect(problem(Self.zeros, limit: 199_999) == .unpackedTooLarge(limit: 199_999))
        #expect(throws: SourceFormatError.unpackedTooLarge(limit: 1_000)) {
            try SourceFormat.auto.rows(in: Self.zeros, upTo: 1_000)
        }
    }

    @Test func membersFollowEachOther() throws {
        #expect(try Gzip.unpack(Self.zeros + Self.zeros, limit: 400_000).count == 400_000)
        #expect(problem(Self.zeros + Self.zeros, limit: 399_999) == .unpackedTooLarge(limit: 399_999))
        #expect(try Gzip.unpack(Self.bondi + [0, 0, 0], limit: 100).count == 62)
    }

    @Test func whatIsDamagedIsRefusedWithAReason() {
        for count in [2, 5, 10, Self.bondi.count - 9, Self.bondi.count - 1] {
            #expect(problem(Array(Self.bondi.prefix(count))) == .badGzip("it is cut off: fetch it again"))
        }
        var damaged = Self.bondi
        damaged[damaged.count - 6] ^= 1
        #expect(problem(damaged) == .badGzip("it is damaged: fetch it again"))
        #expect(problem(Self.bondi + [1, 2]) == .badGzip("something follows its end"))
        #expect(problem([0x1f, 0x8b, 8]) == .badGzip("it is cut off: fetch it again"))
    }
}
