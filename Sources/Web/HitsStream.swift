// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HummingbirdCore
internal import NIOCore
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// A long list as one GeoJSON document, written a page at a time: of a slow reader no more than a page is in memory.
/// Where it breaks off, the document lacks its end, and so does the answer: in HTTP/1.1 its last chunk.
struct HitsStream: Sendable {
    /// Asks for a page with this many rows after a cursor.
    typealias Read = @Sendable (Int, Data?) async throws -> HitPage

    /// The most rows of a document.
    static let mostRows = 1_000_000
    /// The bytes that are gathered for one write.
    private static let batchBytes = 64 * 1024

    let limit: Int
    let isMeasured: Bool
    /// It was read before the answer began, so that an error of the question is a problem document.
    let first: HitPage
    let read: Read
    /// The address of what follows a cursor.
    let link: @Sendable (Data) -> String
    /// Asked before each page: whether the reader may still read, and the service goes on.
    let mayGoOn: @Sendable () -> Bool

    func write(to writer: inout any ResponseBodyWriter) async throws {
        var page = first
        var count = 0
        var text = FeatureText(isMeasured: isMeasured)
        while true {
            for hit in page.hits {
                text.add(hit, of: page)
                count += 1
                guard text.bytes.count >= Self.batchBytes else { continue }
                // Waits while the socket is full.
                try await writer.write(ByteBuffer(bytes: text.bytes))
                text.bytes.removeAll(keepingCapacity: true)
            }
            guard let cursor = page.cursor, count < limit else { break }
            guard mayGoOn() else { throw ClientError.cancelled }
            page = try await read(min(limit - count, WaymarkProtocol.pageRows), cursor)
            // Otherwise the document would never end.
            if page.hits.isEmpty, page.cursor == cursor { throw ClientError.unreadableAnswer("the same page again") }
        }
        try await writer.write(ByteBuffer(bytes: text.bytes + GeoJSON.end(linkingTo: page.cursor.map(link))))
    }
}
