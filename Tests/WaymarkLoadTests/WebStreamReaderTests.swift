// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkLoad

@Suite("Streams of changes over HTTP are read as their bytes come", .computing)
struct WebStreamReaderTests {
    private static let epoch = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5-01933c6e-80d1-7e55-a1c4-77b0a5e3d2f9"

    private static func event(_ name: String, _ rev: UInt64?, _ data: String) -> String {
        "event: \(name)\n" + (rev.map { "id: \(epoch)-\($0)\n" } ?? "") + "data: \(data)\n\n"
    }

    private static func added(_ name: String, _ rev: UInt64) -> String {
        event("added", rev, #"{"type":"change","op":"added","landmark":{"id":"1","name":"\#(name)","user":"ann"}}"#)
    }

    /// The chunks of an answer, one for each text.
    private static func answer(_ texts: [String]) -> [UInt8] {
        let chunks = texts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)".utf8)
    }

    private func read(_ parts: [ArraySlice<UInt8>]) throws(HTTPLoadError) -> [WebEvent] {
        var (reader, events) = (WebStreamReader(WrittenNames(run: "k3x9q2")), [WebEvent]())
        for part in parts {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: part.count, alignment: 1)
            defer { bytes.deallocate() }
            bytes.copyBytes(from: part)
            try reader.read(UnsafeRawBufferPointer(bytes)) { events.append($0) }
        }
        return events
    }

    private static let texts = [
        "retry: 1000\n", added("Silver Harbour 0000000017 k3x9q2", 7), ": nothing\n\n" + added(#"Ann's \"Pool\""#, 8),
        event("changed", 9, #"{"landmark":{"name":"Old Pool 5 k3x9q2"}}"#), event("landmark", nil, "{}"),
        "retry: 5\n" + event("beacon", 9, #"{"live":true}"#), event("left", 10, "{}"),
    ]

    /// The events of `texts`. Only an added landmark is a write of this test.
    private static let events: [WebEvent] = [
        .begun, .change(rev: 7, number: 17, bytes: texts[1].utf8.count),
        .change(rev: 8, number: nil, bytes: added(#"Ann's \"Pool\""#, 8).utf8.count),
        .change(rev: 9, number: nil, bytes: texts[3].utf8.count), .beacon(rev: 9),
        .change(rev: 10, number: nil, bytes: texts[6].utf8.count),
    ]

    @Test("However the bytes are cut, and however the events are put into chunks")
    func cuts() throws {
        let joined = Self.texts.joined()
        let halves = [String(joined.prefix(100)), String(joined.dropFirst(100))]
        for bytes in [Self.answer(Self.texts), Self.answer([joined]), Self.answer(halves)] {
            for cut in 0...bytes.count {
                #expect(try read([bytes[..<cut], bytes[cut...]]) == Self.events, "cut at \(cut)")
            }
            #expect(try read(bytes.indices.map { bytes[$0...$0] }) == Self.events)
        }
    }

    @Test("A refusal, an end, and a line without an end end the stream")
    func ends() {
        let refusal = Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".utf8)
        #expect(throws: HTTPLoadError.status(503)) { try read([refusal[...]]) }
        for name in ["compacted", "signed_out"] {
            let bytes = Self.answer([Self.event(name, nil, "{}")])
            #expect(throws: HTTPLoadError.ended) { try read([bytes[...]]) }
        }
        let whole = Self.answer([Self.texts[1]]) + Array("0\r\n\r\n".utf8)
        #expect(throws: HTTPLoadError.closed) { try read([whole[...]]) }
        let long = Self.answer([String(repeating: "a", count: 2 << 20)])
        #expect(throws: HTTPLoadError.brokenReply) { try read([long[...]]) }
    }

    @Test("An id that is none makes no change of an event, and other names are not this test's")
    func strangers() throws {
        for id in ["", "-", "7", "\(Self.epoch)-", "\(Self.epoch)-7x", "\(Self.epoch)-99999999999999999999"] {
            let bytes = Self.answer(["event: added\nid: \(id)\ndata: {}\n\n"])
            #expect(try read([bytes[...]]).isEmpty, "\(id)")
        }
        for name in ["k3x9q2", " k3x9q2", "0 k3x9q2", "x k3x9q2", "17 k3x9q", "17 k3x9q2 ", #"\"name\":\"17 k3x9q2"#] {
            let bytes = Self.answer([Self.added(name, 7)])
            #expect(try read([bytes[...]]) == [.change(rev: 7, number: nil, bytes: Self.added(name, 7).utf8.count)])
        }
    }

    @Test("Damaged bytes are read or refused")
    func damage() {
        var random = SystemRandomNumberGenerator()
        let whole = Self.answer(Self.texts)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            _ = try? read([bytes[..<cut], bytes[cut...]])
        }
    }

    @Test("A change counts from its first receipt after the warm-up, and no more after the end")
    func receipts() {
        let first = FirstReceipts()
        #expect(first.receipt(of: 0, at: 5)?.time == nil && first.receipt(of: 1, at: 5)?.time == 5 && first.count == 0)
        first.begin(at: 10)
        #expect(first.receipt(of: 2, at: 9)?.time == 9)
        // A receipt at the same time is not the first one.
        for isFirst in [true, false] {
            let receipt = first.receipt(of: 3, at: 10)
            #expect(receipt?.time == 10 && receipt?.isFirst == isFirst)
        }
        #expect(first.receipt(of: 3, at: 20)?.time == 10 && first.count == 1)
        first.end()
        #expect(first.receipt(of: 4, at: 30)?.time == nil)
        #expect(first.receipt(of: 3, at: 30)?.time == 10 && first.count == 1)
    }
}
