// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSON
import TestTurns
import Testing
import WaymarkClient

@testable import Hooks
@testable import Web

@Suite("The texts of messages", .inShortTurn)
struct HookMessageTests {
    @Test("the vector that Standard Webhooks publishes")
    func signature() throws {
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let body = Array(#"{"test": 2432232314}"#.utf8)
        func header(_ secrets: [Data]) -> String {
            HookSignature.header(
                id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: body, secrets: secrets)
        }
        #expect(header([secret]) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let two = header([Data([1]), secret]).split(separator: " ")
        #expect(two.count == 2 && two[1] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    private static let epoch = SimulatedHook.epoch

    @Test
    func aSingleChange() throws {
        var changes = [SimulatedHook.told(7), SimulatedHook.told(8)][...]
        let message = try #require(HookMessage(taking: &changes, batch: 1))
        #expect(message.id == "\(Self.epoch)-7" && message.contentType == "application/cloudevents+json")
        #expect(changes.count == 1 && message.count == 1 && message.through?.rev == 7)
        #expect(
            String(decoding: message.body, as: UTF8.self)
                == #"{"specversion":"1.0","id":"\#(Self.epoch)-7","source":"urn:uuid:\#(Self.epoch)","#
                + #""type":"waymark.landmark.added","subject":"00000000-0000-0002-0000-000000000007","#
                + #""time":"2026-01-01T00:00:00.000Z","datacontenttype":"application/json","data":{"rev":7}}"#)
    }

    @Test
    func aBatchIsAlwaysAnArray() throws {
        var changes = [SimulatedHook.told(7), SimulatedHook.told(8), SimulatedHook.told(9)][...]
        for (id, revs) in [("7-8", [7, 8]), ("9-9", [9])] {
            let message = try #require(HookMessage(taking: &changes, batch: 2))
            #expect(message.id == "\(Self.epoch)-\(id)")
            #expect(message.contentType == "application/cloudevents-batch+json")
            let events = try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [[String: Any]])
            #expect(events.map { ($0["data"] as? [String: Int])?["rev"] } == revs)
            #expect(events.map { $0["id"] as? String } == revs.map { "\(Self.epoch)-\($0)" })
        }
        #expect(HookMessage(taking: &changes, batch: 2) == nil)
    }

    @Test
    func aMessageIsBoundedInSize() throws {
        let large = FollowedChanges.Told(
            position: Position(epoch: Self.epoch, rev: 1), at: 0, landmark: UUIDv7(high: 0, low: 1),
            operation: .changed,
            json: [UInt8](repeating: 0x20, count: 300_000))
        var changes = [FollowedChanges.Told](repeating: large, count: 5)[...]
        #expect(try #require(HookMessage(taking: &changes, batch: 100)).count == 2)
    }

    @Test
    func whatIsMissingIsSaid() throws {
        let message = HookMessage.compacted(
            after: Position(epoch: Self.epoch, rev: 5), floor: 90, batch: 1, now: 1_767_225_600_000)
        let event = try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
        #expect(event["type"] as? String == "waymark.feed.compacted")
        let data = try #require(event["data"] as? [String: Any])
        #expect(data["from"] as? Int == 5 && data["floor"] as? Int == 90)
        #expect(message.through?.rev == 89 && message.count == 0)
        #expect(message.id == "\(Self.epoch)-compacted-90")
    }

    @Test("the data is the object of /v1/changes, with the operation that the hook sees")
    func data() throws {
        let landmark = Landmark(
            id: UUIDv7(high: 3, low: 4), name: "A \"b\"", coordinate: try Coordinate(latitude: 1, longitude: 2),
            attributes: Attributes(kind: "beach"), rev: 7)
        let change = Change(rev: 7, at: 9_000, operation: .changed, user: "ann", landmark: landmark, before: landmark)
        let position = Position(epoch: Self.epoch, rev: 7, run: UUIDv7(high: 5, low: 6))
        let told = RingEntry(FeedChange(change, as: .changed, at: position)).told(as: .entered, epoch: Self.epoch)
        let line = JSONWriter.line { $0.fields(FeedChange(change, as: .entered, at: position)) }
        #expect(told.json == Array(line.dropLast()))
        #expect(told.landmark == landmark.id && told.at == 9_000 && told.position == position)
    }
}
