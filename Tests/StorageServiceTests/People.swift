// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Geodesy
import Landmarks
import WaymarkProtocol

@testable import StorageRules

/// Commands about grants and points, and who sends them.
enum People {
    static let start: UInt64 = 1_700_000_000_000
    static let service = HookStage.account(99, .service)

    static func digest(_ number: UInt8) -> Data { Data(repeating: number, count: 32) }

    static func grant(
        _ number: UInt8, _ id: Landmark.ID?, _ change: (inout WireAddGrant) -> Void = { _ in }
    ) throws -> Command {
        var add = WireAddGrant.with { ($0.kind, $0.digest, $0.label) = (.move, digest(number), "phone") }
        add.landmark = id?.wire ?? Data()
        change(&add)
        return .addGrant(try GrantRules.checked(add))
    }

    /// Points at seconds after the start, each as far north as its time.
    static func points(_ seconds: [Int], of id: Landmark.ID? = nil, grant: UInt8? = nil) throws -> Command {
        var add = WireAddPoints()
        add.landmark = id?.wire ?? Data()
        add.grant = grant.map(digest) ?? Data()
        add.points = seconds.map { second in
            .with {
                $0.at = UInt64(Int(start) + second * 1_000)
                ($0.lat, $0.lng, $0.accuracy) = (Double(second) / 1_000, 2, 5)
            }
        }
        return .addPoints(try PointBatch(add))
    }
}

extension HookStage {
    func track(_ id: Landmark.ID) async throws -> [Int] {
        let page = try await client.engine.reader.track(id, since: 0, after: 0, limit: 10_000)
        return page.points.map { (Int($0.at) - Int(People.start)) / 1_000 }
    }

    func landmark(_ name: String, by caller: Caller) throws -> Landmark.ID {
        let draft = try LandmarkDraft(name: name, coordinate: .init(latitude: -33.85, longitude: 151.21))
        return try Receipt(send(.add(draft, note: nil), by: caller)).id
    }

    func people() throws -> (ann: Caller, bob: Caller, mod: Caller) {
        for (name, role) in [("n1", Role.user), ("n2", .user), ("n3", .moderator)] {
            _ = try send(.account(.create(name: name, role, nil)), by: .machine)
        }
        return (Self.account(1, .user), Self.account(2, .user), Self.account(3, .moderator))
    }
}
