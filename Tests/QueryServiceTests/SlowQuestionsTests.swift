// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@testable import QueryService
@testable import WaymarkTransport

@Suite("Queries that take turns", .computing)
struct SlowQuestionsTests {
    private func landmark(_ number: UInt64, rev: UInt64) -> WireLandmark {
        .with {
            $0.id = UUIDv7(high: 7, low: number).wire
            ($0.name, $0.rev) = ("Landmark \(number)", rev)
            ($0.lat, $0.lng) = (Double(number % 80), Double(number % 170))
            // So many of the first kind that finding the last ones takes several steps.
            $0.kind = number <= 250 ? "near" : "far"
        }
    }

    private func replica() throws -> Replica {
        var snapshot = ReplicaSnapshot(at: Position(epoch: UUIDv7(high: 1, low: 1), rev: 300))
        let page = WireReply.with { $0.snapshot.landmarks = (1...300).map { landmark($0, rev: $0) } }
        try snapshot.append(page: page.serializedBytes())
        let replica = Replica(snapshot)
        replica.pace = Scan.Pace(step: 10, patience: 20, spare: 5)
        return replica
    }

    private func change(_ replica: Replica) throws {
        let rev = replica.position.rev + 1
        try replica.apply(
            EncodedChange(
                .with { ($0.rev, $0.operation, $0.landmark) = (rev, .changed, landmark(1, rev: rev)) }))
    }

    private func question(_ connection: UInt8, _ replica: Replica, until: UInt64 = 1_000) throws -> SlowQuestion {
        let key = RequestKey(client: UUIDv7(high: 1, low: UInt64(connection)), sequence: 1)
        var answering = try replica.list(
            .with { ($0.order, $0.limit, $0.filter.kind) = (.byName, 3, "far") })
        #expect(try answering.proceed() == nil)
        let request = IncomingRequest(
            address: ReplyAddress(connection: [0, connection], key: key, kind: .list, received: 0, version: 1),
            header: RequestHeader(key: key), body: [], remaining: 1_000, key: nil)
        return SlowQuestion(answering: answering, request: request, until: until)
    }

    @Test("a query of a client that has gone, or has stopped waiting, is dropped; the others are answered")
    func gone() throws {
        let replica = try replica()
        var questions = SlowQuestions()
        for (connection, until) in [(1, 1_000), (2, 1_000), (3, 5)] as [(UInt8, UInt64)] {
            let isTaken = questions.add(try question(connection, replica, until: until))
            #expect(isTaken)
        }
        var (dropped, steps) = (0, 0)
        var answered: [[UInt8]] = []
        while questions.count > 0 {
            steps += 1
            guard let (question, result) = questions.step(now: 10, isGone: { $0.connection == [0, 1] }) else {
                continue
            }
            switch result {
            case .success(let reply)?:
                answered.append(Array(question.address.connection))
                #expect(reply.page?.count == 3)
            case .failure(let error)?: Issue.record(error)
            case nil: dropped += 1
            }
        }
        #expect(dropped == 2 && answered == [[0, 2]])
        // The other one took some steps, and those that were dropped took none.
        #expect(steps > 4 && questions.count == 0)
        // No scan is left that would make the replica record its changes.
        try change(replica)
        #expect(replica.touched.slots.count == 0)
    }

    @Test("all are abandoned when the replica is replaced, and no more than the bound are taken")
    func bounds() throws {
        let replica = try replica()
        var questions = SlowQuestions()
        var isTaken = true
        while isTaken, questions.count < 1_000 {
            var next = try question(UInt8(questions.count % 200), replica)
            isTaken = questions.add(next)
            if !isTaken { next.answering.abandon() }
        }
        #expect(questions.count == 256)
        try change(replica)
        #expect(replica.touched.slots.count > 0)
        #expect(questions.removeAll().count == 256 && questions.count == 0)
        #expect(replica.touched.slots.count == 0)
    }
}
