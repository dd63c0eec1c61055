// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// A page of landmarks: an object with `landmarks[…] cursor truncated epoch rev storage_away`, or a document of a
/// ``ListForm``. The `links` of GeoJSON lead to the next page.
enum HitsAnswer {
    /// Requests a page with at most this many rows after a cursor.
    typealias Read = @Sendable (Int, Data?) async throws -> HitPage

    /// The maximum number of rows in a document of a ``ListForm``.
    static let mostRows = 1_000_000
    /// The number of bytes that are collected before a part of a document is written.
    private static let batchBytes = 64 * 1024

    /// Answers with up to `limit` rows of a list. A document may have more rows than a page of the protocol. It is
    /// written page by page, so that a slow reader only needs the memory of one page. If it breaks off, its end is
    /// missing, and in HTTP/1.1 also the last chunk of the answer.
    ///
    /// - Parameters:
    ///   - path: the path of the route, for the link to the next page.
    ///   - standard: the number of rows if the request does not set it.
    static func list(
        _ request: WebRequest, at path: String, _ context: WebContext, or standard: Int, isMeasured: Bool,
        read: @escaping Read
    ) async throws(Problem) -> WebAnswer {
        let (query, caller) = (request.query, request.caller)
        let asked = try request.listForm()
        let most = asked == nil ? WaymarkProtocol.pageRows : mostRows
        let limit = try query.whole("limit", in: 1...most, or: standard)
        let start = try query.cursor()
        // Read the first page before the answer begins, so that an error about the question becomes a problem document.
        let first = try await Problem.of { try await read(min(limit, WaymarkProtocol.pageRows), start) }
        let link = { @Sendable (cursor: Data) in path + "?" + query.next(after: cursor) }
        guard let form = asked, limit > WaymarkProtocol.pageRows, first.cursor != nil else {
            return of(first, isMeasured: isMeasured, asked, next: first.cursor.map(link))
        }
        var answer = WebAnswer(form.contentType) { writer in
            var (page, count) = (first, 0)
            var text = ListDocument(form, isMeasured: isMeasured, tellsOpening: first.openingAt != nil)
            while true {
                for row in page.hits.indices {
                    page.hits.withView(row) { text.add($0) }
                    count += 1
                    guard text.bytes.count >= batchBytes else { continue }
                    // The call waits while the socket is full.
                    try await writer.write(ByteBuffer(bytes: text.bytes))
                    text.bytes.removeAll(keepingCapacity: true)
                }
                guard let cursor = page.cursor, count < limit else { break }
                // The reader's key has ended, or the service is stopping.
                guard !context.hub.isClosed, context.gate.isWelcome(caller) else { throw ClientError.cancelled }
                page = try await read(min(limit - count, WaymarkProtocol.pageRows), cursor)
                // Without this check a service that repeats a page would make the document endless.
                if page.hits.isEmpty, page.cursor == cursor {
                    throw ClientError.unreadableAnswer("the same page again")
                }
            }
            try await writer.write(ByteBuffer(bytes: text.bytes + text.end(linkingTo: page.cursor.map(link))))
        }
        answer.saveAsFile(form)
        return answer
    }

    /// Makes the answer with one page.
    ///
    /// - Parameters:
    ///   - form: the form of the document; nil for JSON.
    ///   - next: the URL of the next page, for GeoJSON; nil after the last page.
    static func of(_ page: HitPage, isMeasured: Bool, _ form: ListForm?, next: String?) -> WebAnswer {
        guard let form else { return json(page, isMeasured: isMeasured) }
        var text = ListDocument(form, isMeasured: isMeasured, tellsOpening: page.openingAt != nil)
        for row in page.hits.indices { page.hits.withView(row) { text.add($0) } }
        var answer = WebAnswer(form.contentType, text.bytes + text.end(linkingTo: next))
        if let cursor = page.cursor { answer.headers[.waymarkCursor] = cursor.base64URL }
        answer.saveAsFile(form)
        return answer
    }

    private static func json(_ page: HitPage, isMeasured: Bool) -> WebAnswer {
        WebAnswer(room: 256 + 512 * page.hits.count) {
            $0.key("landmarks")
            $0.list { writer in
                for row in page.hits.indices {
                    page.hits.withView(row) { hit in
                        writer.object { $0.fields(hit, isMeasured: isMeasured, tellsOpening: page.openingAt != nil) }
                    }
                }
            }
            $0.field("cursor", page.cursor?.base64URL)
            $0.field("truncated", page.isTruncated)
            if let moment = page.openingAt { $0.field("opening_at", time: moment) }
            $0.field("epoch", page.freshness.position.epoch)
            $0.field("rev", page.freshness.position.rev)
            $0.field("storage_away", page.freshness.isStorageAway)
        }
    }
}

extension WebAnswer {
    /// Lets browsers save forms that they would show as text or as a tree of elements.
    fileprivate mutating func saveAsFile(_ form: ListForm) {
        if form != .geojson { headers[.contentDisposition] = "attachment; filename=\"landmarks.\(form.rawValue)\"" }
    }
}
