// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

/// The tables of field numbers against the generated messages: each number is asked for with every kind of value, and the
/// message says what it took it for.
@Suite("The tables of field numbers", .computing)
struct FieldTableTests {
    /// What a message calls a field; nil for one that it does not know.
    private static func name<Message: SwiftProtobuf.Message>(
        _ number: UInt64, in message: Message.Type
    ) throws -> String? {
        // A number, a double, and bytes that are a text, a message and a list of numbers.
        let values: [(type: UInt64, bytes: [UInt8])] = [
            (0, [1]), (1, [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]), (2, [2, 0x0a, 0]),
        ]
        for (type, bytes) in values {
            var wire = WireWriter()
            wire.put(varint: number << 3 | type)
            wire.bytes += bytes
            guard let read = try? Message(serializedBytes: wire.bytes), read.unknownFields.data.isEmpty else {
                continue
            }
            var options = JSONEncodingOptions()
            options.preserveProtoFieldNames = true
            let json: Data = try read.jsonUTF8Data(options: options)
            let fields = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
            #expect(fields.count == 1)
            return fields.keys.first
        }
        return nil
    }

    /// `minDistanceM` is `min_distance_m` in the protocol.
    private static func protocolName(_ field: some WireField) -> String {
        "\(field)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }

    /// Whether the table has the message's numbers, each with the message's name for it, and no others.
    ///
    /// - Parameter others: fields that stand in another table.
    private func isTable<Table: WireField, Message: SwiftProtobuf.Message>(
        _ table: Table.Type, of message: Message.Type, with others: [(UInt64, String)] = []
    ) throws -> Bool {
        var known: [UInt64: String] = [:]
        for number in 1...UInt64(100) { known[number] = try Self.name(number, in: message) }
        let ours = table.allCases.filter { $0.rawValue > 0 }.map { ($0.rawValue, Self.protocolName($0)) } + others
        return known == Dictionary(uniqueKeysWithValues: ours)
    }

    private func hold<Table: WireField, Message: SwiftProtobuf.Message>(
        _ table: Table.Type, _ message: Message.Type
    ) throws {
        #expect(try isTable(table, of: message), "\(table)")
    }

    private enum Swapped: UInt64, WireField { case name = 2, key = 1 }
    private enum Incomplete: UInt64, WireField { case name = 1 }
    private enum TooMany: UInt64, WireField { case name = 1, key, place }

    @Test("a table with a wrong number, without a field, or with one that is not there is seen")
    func wrong() throws {
        #expect(try !isTable(Swapped.self, of: WireSourceKey.self))
        #expect(try !isTable(Incomplete.self, of: WireSourceKey.self))
        #expect(try !isTable(TooMany.self, of: WireSourceKey.self))
    }

    @Test("records")
    func records() throws {
        let attributes = Attribute.allCases.map { ($0.number, $0.rawValue) }
        #expect(try isTable(LandmarkField.self, of: WireLandmark.self, with: attributes))
        try hold(SourceKeyField.self, WireSourceKey.self)
        try hold(NoteField.self, WireNote.self)
        try hold(DraftField.self, WireLandmarkDraft.self)
        try hold(ChangeField.self, WireChange.self)
        try hold(PositionField.self, WirePosition.self)
    }

    @Test("headers")
    func headers() throws {
        try hold(RequestHeaderField.self, WireRequestHeader.self)
        try hold(ReplyHeaderField.self, WireReplyHeader.self)
        try hold(FeedBatchField.self, WireFeedBatch.self)
    }

    @Test("messages")
    func messages() throws {
        try hold(RequestKind.self, WireRequest.self)
        try hold(NearField.self, WireNear.self)
        try hold(AddField.self, WireAdd.self)
        try hold(ReplyField.self, WireReply.self)
        try hold(FailureField.self, WireFailure.self)
        try hold(HitsField.self, WireHits.self)
        try hold(HitField.self, WireHit.self)
        try hold(SnapshotPageField.self, WireSnapshotPage.self)
        try hold(WrittenField.self, WireWritten.self)
        try hold(IngestReportField.self, WireIngestReport.self)
        try hold(IngestCountsField.self, WireIngestCounts.self)
    }

    @Test("the kind of a request is that of its command, and writes are what the protocol says they are")
    func kinds() throws {
        let accounts: [RequestKind] = [
            .signIn, .createAccount, .changeAccount, .setPassword, .addKey, .endKey, .adopt,
        ]
        let kept: [RequestKind] = [
            .addFence, .removeFence, .addHook, .changeHook, .hookTurn, .addGrant, .endGrant, .eraseTrack,
        ]
        for kind in RequestKind.allCases where kind != .unknown {
            var wire = WireWriter()
            wire.message(kind, [])
            let request = try WireRequest(serializedBytes: wire.bytes)
            #expect(request.command != nil && RequestKind(body: wire.bytes) == kind)
            #expect(kind.name == Self.protocolName(kind))
            // 39 answers when it is durable, too, but storage does not remember its answer.
            let isWrite =
                (30...40).contains(kind.rawValue) && kind != .compact || [.restore, .addPoints].contains(kind)
                || (accounts + kept).contains(kind)
            #expect(kind.isWrite == isWrite)
            #expect(kind.changesAccounts == accounts.contains(kind))
        }
        #expect(RequestKind(body: []) == .unknown && !RequestKind.unknown.isWrite)
        #expect(
            RequestKind.allCases.filter { $0.isWrite != $0.changesLandmarks }
                == [.beginFetch, .endFetch] + accounts + kept)
        #expect((RequestKind.allCases.map(\.rawValue).max() ?? 0) + 1 == UInt64(RequestKind.count))
    }
}
