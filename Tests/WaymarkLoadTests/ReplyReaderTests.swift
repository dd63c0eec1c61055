// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkLoad

@Suite("Answers are checked where they lie", .computing)
struct ReplyReaderTests {
    private func read<Value>(_ reply: WireReply, _ body: (ReplyReader) -> Value) throws -> Value {
        let bytes: [UInt8] = try reply.serializedBytes()
        return bytes.withUnsafeBytes { body(ReplyReader($0)) }
    }

    private func hits(_ distances: [Double?]) -> WireReply {
        .with {
            $0.hits.hits = distances.map { distance in
                .with {
                    $0.landmark.name = "x"
                    if let distance { $0.distanceM = distance }
                    $0.bearingDeg = 7
                }
            }
            $0.hits.cursor = Data([1, 2, 3])
        }
    }

    @Test("hits have to be few enough, nearest first, and within the radius")
    func near() throws {
        let good = hits([0, 1, 1, 2.5])
        #expect(try read(good) { $0.areHits(atMost: 4, within: 2.5, areMeasured: true) })
        #expect(try !read(good) { $0.areHits(atMost: 3, areMeasured: true) })
        #expect(try !read(good) { $0.areHits(atMost: 4, within: 2.4, areMeasured: true) })
        #expect(try !read(hits([1, 0.5])) { $0.areHits(atMost: 4, areMeasured: true) })
        #expect(try !read(hits([nil])) { $0.areHits(atMost: 4, areMeasured: true) })
        #expect(try read(hits([nil])) { $0.areHits(atMost: 4, areMeasured: false) })
        // No landmarks at all: an answer too.
        #expect(try read(hits([])) { $0.areHits(atMost: 4, areMeasured: true) })
        #expect(try !read(.with { $0.written.rev = 1 }) { $0.areHits(atMost: 4, areMeasured: false) })
    }

    @Test("a refusal has the word of its code, and nothing else is one")
    func refusals() throws {
        for code in ErrorCode.allCases {
            let refusal = WireReply.with { $0.failure = ServiceError(code, "no").wire }
            #expect(try read(refusal) { $0.refusal } == code.name)
        }
        #expect(try read(.with { $0.failure.code = 999 }) { $0.refusal } == "internal")
        #expect(try read(hits([1])) { $0.refusal } == nil)
    }

    @Test("a write has a revision, an ingest its counts")
    func writes() throws {
        #expect(try read(.with { $0.written.rev = 300 }) { $0.isWritten })
        #expect(try !read(.with { $0.written.version = 1 }) { $0.isWritten })
        let ingest = WireReply.with { $0.ingest.counts.added = 500 }
        #expect(try read(ingest) { $0.ingested?.added } == 500)
        let rejected = WireReply.with { $0.ingest.rejected = [.with { $0.row = 1 }] }
        #expect(try read(rejected) { $0.ingested?.isRejected } == true)
    }

    @Test("bytes that are no answer are no answer, whatever they are")
    func garbage() throws {
        let whole: [UInt8] = try hits([1, 2, 3]).serializedBytes()
        for count in 0..<whole.count {
            whole[..<count].withUnsafeBytes { bytes in
                let reply = ReplyReader(bytes)
                #expect(!reply.areHits(atMost: 9, areMeasured: true) && reply.refusal == nil, "\(count)")
            }
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<40)).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.withUnsafeBytes { bytes in
                let reply = ReplyReader(bytes)
                _ = (reply.refusal, reply.isWritten, reply.ingested, reply.areHits(atMost: 9, areMeasured: true))
            }
        }
    }
}
