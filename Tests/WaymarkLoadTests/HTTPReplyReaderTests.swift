// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkLoad

@Suite("Answers over HTTP are read as their bytes come", .computing)
struct HTTPReplyReaderTests {
    private static let plain = "HTTP/1.1 201 Created\r\ncontent-LENGTH:\t5 \r\nETag: x\r\n\r\nab\r\n\n"
    private static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
        + "3\r\nab\r\r\n00A;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n"

    /// What a reader made of bytes that came in parts.
    private struct Read: Equatable {
        var statuses: [Int] = []
        var body = ""
        var replies: [HTTPReplyReader.Reply] = []
    }

    private func read(_ parts: [ArraySlice<UInt8>], most: Int? = 4 << 20) throws(HTTPLoadError) -> Read {
        var (reader, read) = (HTTPReplyReader(mostBody: most), Read())
        for part in parts {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: part.count, alignment: 1)
            defer { bytes.deallocate() }
            bytes.copyBytes(from: part)
            var place = 0
            while let piece = try reader.next(UnsafeRawBufferPointer(bytes), &place) {
                switch piece {
                case .head(let status): read.statuses.append(status)
                case .body(let bytes): read.body += String(decoding: bytes, as: UTF8.self)
                case .whole(let reply): read.replies.append(reply)
                }
            }
        }
        return read
    }

    private func read(_ text: String, most: Int? = 4 << 20) throws(HTTPLoadError) -> Read {
        try read([Array(text.utf8)[...]], most: most)
    }

    @Test("However the bytes are cut, with a length and in chunks")
    func cuts() throws {
        for (text, status, body, isLast) in [
            (Self.plain, 201, "ab\r\n\n", false), (Self.chunked, 200, "ab\r0123456789", true),
        ] {
            let bytes = Array(text.utf8)
            let whole = Read(
                statuses: [status], body: body, replies: [.init(status: status, bytes: bytes.count, isLast: isLast)])
            for cut in 0...bytes.count { #expect(try read([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)") }
            #expect(try read(bytes.indices.map { bytes[$0...$0] }) == whole)
            // One answer after the other.
            #expect(try read([bytes[...], bytes[...]]).replies == whole.replies + whole.replies)
            for end in bytes.indices { #expect(try read([bytes[..<end]]).replies.isEmpty) }
        }
        #expect(try read("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n").replies.map(\.status) == [503])
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "hello\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 20\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\nContent-Length: 1\n\na", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx",
        ])
    func broken(text: String) {
        #expect(throws: HTTPLoadError.brokenReply) { try read(text) }
    }

    @Test("A head, a trailer, a line and a body have a bound")
    func bounds() throws {
        let long = String(repeating: "a", count: 20_000)
        let many = String(repeating: "X: y\r\n", count: 4_000)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for text in [
            "HTTP/1.1 200 OK\r\nX: \(long)", "HTTP/1.1 200 OK\r\n\(many)", "\(head)1;\(long)", "\(head)0\r\n\(many)",
        ] {
            #expect(throws: HTTPLoadError.brokenReply) { try read(text) }
        }
        let twice = "\(head)4\r\nabcd\r\n4\r\nabcd\r\n"
        #expect(try read(twice, most: 8).body == "abcdabcd")
        #expect(throws: HTTPLoadError.brokenReply) { try read(twice, most: 7) }
        // A stream has no end, but each chunk has.
        #expect(try read(twice, most: nil).body == "abcdabcd")
    }

    @Test("Damaged bytes are read or refused")
    func damage() {
        var random = SystemRandomNumberGenerator()
        for text in [Self.plain, Self.chunked] {
            for _ in 0..<2_000 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                let cut = Int.random(in: 0...bytes.count, using: &random)
                _ = try? read([bytes[..<cut], bytes[cut...]])
            }
        }
    }
}
