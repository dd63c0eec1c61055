// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Geodesy
import Landmarks
import TestSupport
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import StorageRules

/// Random commands, of all kinds, over the landmarks and notes that a world has.
enum RandomCommand {
    static func caller(_ random: inout SplitMix64) -> Caller {
        switch random.next() % 6 {
        case 0: .anyone(user: "ann")
        case 1: .machine
        default:
            .account(
                Account(
                    number: 1 + random.next() % 3, name: "account", role: Role.allCases[Int(random.next() % 5)],
                    isEnded: false))
        }
    }

    static func make(in world: RulesTests.World, _ number: UInt64, _ random: inout SplitMix64) throws -> Command {
        func pick<Value>(_ values: [Value], _ random: inout SplitMix64) -> Value? {
            values.isEmpty ? nil : values[Int(random.next() % UInt64(values.count))]
        }
        func place(_ random: inout SplitMix64) throws -> Coordinate {
            try Coordinate(latitude: Double(random.next() % 4), longitude: 2)
        }
        let draft = try draft("name \(random.next() % 5)", Double(random.next() % 3), 1)
        // Some of the ids are of landmarks that have gone.
        let id = pick(world.landmarks, &random) ?? UUIDv7(high: 5, low: 5)
        let note = pick(world.notes, &random) ?? UUIDv7(high: 6, low: 6)
        let version = random.next() % 3 == 0 ? 1 + random.next() % 3 : nil
        let source = ["seed", "other"][Int(random.next() % 2)]
        switch random.next() % 26 {
        case 22...25: return try people(id, draft, number, &random)
        case 0, 1: return .add(draft, note: random.next() % 2 == 0 ? "a note" : nil)
        case 2:
            return .edit(
                id, try LandmarkEdit(name: "name \(random.next() % 5)", attributes: Attributes()), ifVersion: version)
        case 3:
            // A few minutes about the time at which the command runs.
            let time = 1_700_000_000_000 + (number + random.next() % 200) * 1_000
            return .move(id, to: try place(&random), at: random.next() % 2 == 0 ? nil : time)
        case 4: return .remove(id, ifVersion: version)
        case 5: return .addNote(id, text: "another")
        case 6: return .editNote(note, text: "text \(random.next() % 2)")
        case 7: return .removeNote(note)
        case 8, 9:
            let rows = Set((0..<random.next() % 4).map { _ in "row \(random.next() % 6)" }).sorted().map { ($0, draft) }
            let vanished = ["row 0", "row 3"].filter { key in !rows.contains { $0.0 == key } }
            return .ingest(
                batch(source, rows, vanished: random.next() % 2 == 0 ? vanished : [], dry: random.next() % 3 == 0))
        case 10:
            return .beginFetch(
                .with { ($0.source, $0.url, $0.format, $0.everyMs, $0.leaseMs) = (source, "u", "auto", 2_000, 3_000) })
        case 11:
            return .endFetch(source: source, .with { $0.result = random.next() % 2 == 0 ? .ingested : .failed })
        case 12, 13: return .restore(id)
        case 14...19: return try hook(world, &random)
        default: return .account(try account(&random))
        }
    }

    private static func people(
        _ id: Landmark.ID, _ draft: LandmarkDraft, _ number: UInt64, _ random: inout SplitMix64
    ) throws -> Command {
        let digest = Data(repeating: UInt8(random.next() % 12), count: 32)
        let end = random.next() % 2 == 0 ? 0 : 1_700_000_000_000 + (number + random.next() % 60) * 1_000
        switch random.next() % 8 {
        case 0, 1:
            var add = WireAddGrant()
            (add.kind, add.digest, add.label, add.expires) = (random.next() % 3 == 0 ? .see : .move, digest, "l", end)
            add.landmark = id.wire
            if add.kind == .see, random.next() % 2 == 0 {
                (add.landmark, add.filter) = (Data(), Data(WireFeedFilter.with { $0.kinds = ["k"] }.encoded))
            }
            return .addGrant(try GrantRules.checked(add))
        case 2: return .endGrant([UInt8](digest))
        case 3: return .removeExpired
        case 4: return .add(draft, note: nil, expires: end == 0 ? nil : end)
        case 5:
            return .eraseTrack(
                try TrackErasure(.with { $0.landmark = random.next() % 2 == 0 ? Data() : id.wire }))
        default:
            var add = WireAddPoints()
            if random.next() % 2 == 0 { add.landmark = id.wire } else { add.grant = digest }
            for _ in 0...random.next() % 5 {
                let at = 1_700_000_000_000 + (number + random.next() % 40) * 1_000 - random.next() % 60_000
                add.points.append(.with { ($0.at, $0.lat, $0.lng) = (at, Double(random.next() % 95), 2) })
            }
            return .addPoints(try PointBatch(add))
        }
    }

    private static func hook(_ world: RulesTests.World, _ random: inout SplitMix64) throws -> Command {
        let name = "hook \(random.next() % 3)"
        switch random.next() % 8 {
        case 0:
            let filter = WireFeedFilter.with { $0.kinds = ["kind \(random.next() % 3)"] }
            return .addFence(name: name, filter: filter.encoded)
        case 1: return .removeFence(name: name)
        case 2:
            let secret = Data(repeating: UInt8(random.next() % 9), count: 24)
            return .addHook(
                try HookDraft(.with { ($0.name, $0.url, $0.secret) = (name, "https://example.org/", secret) }))
        case 3, 4:
            let acts: [WireChangeHook.Act] = [.pause, .resume, .test, .redeliver, .remove]
            var change = WireChangeHook()
            (change.act, change.name) = (acts[Int(random.next() % 5)], name)
            (change.all, change.fromNow) = (random.next() % 4 == 0, random.next() % 2 == 0)
            if change.act == .redeliver { change.rev = random.next() % (world.runner.head.rev + 2) }
            return .changeHook(try HookChange(change))
        default:
            var turn = WireHookTurn()
            turn.service = Data(repeating: UInt8(random.next() % 2), count: 16)
            turn.leaves = random.next() % 9 == 0
            for id in 1...UInt64(3) {
                var progress = WireHookProgress()
                // The terms of hooks that were claimed a few times.
                (progress.hook, progress.term) = (id + random.next() % 9, 1 + random.next() % 4)
                progress.position.epoch = UUIDv7(high: 1, low: 2).wire
                progress.position.rev = random.next() % (world.runner.head.rev + 2)
                if random.next() % 2 == 0 {
                    progress.gaveUp = [.with { ($0.rev, $0.reason) = (random.next() % 400, "500") }]
                }
                progress.redelivered = [random.next() % 40]
                progress.refused = [.with { ($0.number, $0.reason) = (random.next() % 40, "404") }]
                if random.next() % 20 == 0 { progress.stop = "410" }
                turn.progress.append(progress)
            }
            return .hookTurn(turn)
        }
    }

    private static func account(_ random: inout SplitMix64) throws -> AccountCommand {
        let name = "person \(random.next() % 6)"
        let bytes = [UInt8](repeating: UInt8(1 + random.next() % 40), count: 32)
        let key = try #require(CurveKey(bytes: bytes))
        let kind = KeyKind.allCases[Int(random.next() % UInt64(KeyKind.allCases.count))]
        let new = AccountCommand.NewKey(
            key: key, kind: kind, label: "l", expires: kind == .session ? 1_700_000_900_000 : 0)
        let number = 1 + random.next() % 6
        let digest = [UInt8(random.next() % 3)]
        switch random.next() % 9 {
        case 0, 1:
            return .create(
                name: name, Role.allCases[Int(random.next() % 5)], .init(digest: digest, expires: 1_800_000_000_000))
        case 2:
            return .change(
                account: name, role: random.next() % 2 == 0 ? .admin : nil,
                name: random.next() % 4 == 0 ? "person \(random.next() % 6)" : nil, nil, ends: random.next() % 12 == 0)
        case 3: return .setPassword(account: number, hash: "hash", verified: "hash")
        case 4: return .addKey(new, account: random.next() % 2 == 0 ? name : "")
        case 5: return .endKey(key)
        case 6:
            let hash = random.next() % 8 == 0 ? "old hash" : "hash"
            return .signIn(
                account: number, new, random.next() % 2 == 0 ? .code(digest, hash: "hash") : .password(hash: hash))
        case 7: return .adopt(name: "ann", account: name)
        default: return .rewriteOwners(limit: 3)
        }
    }
}
