// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import SwiftProtobuf
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

    /// Reads and checks an encoded `Reply` with hits. A reply in an unusual form is encoded again by the generated code.
    init(reply: [UInt8], _ freshness: Freshness) throws(ClientError) {
        if let page = try Self(plain: reply, freshness) {
            self = page
            return
        }
        guard let wire = try? WireRawReply(serializedBytes: reply), let page = try Self(plain: wire.encoded, freshness)
        else { throw .unreadableAnswer("reply") }
        self = page
    }

    private init?(plain reply: [UInt8], _ freshness: Freshness) throws(ClientError) {
        (hits, self.freshness) = (Hits(reply), freshness)
        let isPlain = try reply.withUnsafeBufferPointer { (reply) throws(ClientError) -> Bool in
            let reply = UnsafeRawBufferPointer(reply)
            guard let message = WireFields.only(ReplyField.hits, of: reply) else { return false }
            var fields = WireFields(message)
            while let (field, value) = fields.next() {
                switch (HitsField(rawValue: field), value) {
                case (.hits, .bytes(let hit)): guard try hits.add(hit, in: reply) else { return false }
                case (.cursor, .bytes(let bytes)): cursor = bytes.isEmpty ? nil : Data(bytes)
                case (.truncated, .number(let flag)): isTruncated = flag != 0
                case (.openingAt, .number(let time)): openingAt = time == 0 ? nil : time
                default: break
                }
            }
            return fields.isWhole
        }
        guard isPlain else { return nil }
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
