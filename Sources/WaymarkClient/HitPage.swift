// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
package import WaymarkProtocol

/// One page of the result of a query.
public struct HitPage: Sendable {
    public var hits: Hits
    /// The end of this page, after which the next page begins; nil on the last page.
    public var cursor: Data?
    /// The time for which the opening states are given, in Unix milliseconds; nil if they were not requested.
    public var openingAt: UInt64?
    /// Whether a search had more matches than the service examines.
    public var isTruncated = false
    public var freshness: Freshness

    /// Sends a request for rows.
    init(
        asking client: WaymarkClient, _ request: EncodedRequest, atLeast: Position?, timeout: Duration? = nil
    ) async throws(ClientError) {
        let (freshness, body) = try await client.reply(to: request, atLeast: atLeast, timeout: timeout)
        guard let freshness, body.withUnsafeBytes({ WireFields.opening($0) }) == ReplyField.hits.rawValue else {
            throw .unreadableAnswer("hits")
        }
        try self.init(reply: body, freshness)
    }

    /// Reads an encoded `Reply`, and checks that each of its rows can be decoded.
    init(reply: [UInt8], _ freshness: Freshness) throws(ClientError) {
        (hits, self.freshness) = (Hits(reply), freshness)
        try reply.withUnsafeBufferPointer { (reply) throws(ClientError) -> Void in
            let reply = UnsafeRawBufferPointer(reply)
            var results = WireFields(reply)
            while let message = results.next(ReplyField.hits) {
                var fields = WireFields(message)
                while let (field, value) = fields.next() {
                    switch (HitsField(rawValue: field), value) {
                    case (.hits, .bytes(let hit)): try hits.add(hit, in: reply)
                    case (.cursor, .bytes(let bytes)): cursor = bytes.isEmpty ? nil : Data(bytes)
                    case (.truncated, .number(let flag)): isTruncated = flag != 0
                    case (.openingAt, .number(let time)): openingAt = time == 0 ? nil : time
                    default: break
                    }
                }
                guard fields.isWhole else { throw .unreadableAnswer("hits") }
            }
            guard results.isWhole else { throw .unreadableAnswer("reply") }
        }
        guard openingAt ?? 0 <= UnixTime.latest else { throw .unreadableAnswer("the moment of the hours") }
    }
}

extension Hit {
    package init(_ wire: WireRawHit) throws(ClientError) {
        self.init(
            landmark: try ClientError.reading { () throws(InvalidInput) in try Landmark(encoded: wire.landmark) },
            distance: wire.hasDistanceM ? wire.distanceM : nil, bearing: wire.hasBearingDeg ? wire.bearingDeg : nil,
            opening: wire.hasOpening ? try Opening(encoded: wire.opening) : nil)
    }
}
