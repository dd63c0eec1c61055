// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol

@testable import StorageOnSQLite
@testable import StorageRules

/// Writes to an engine in this process, for tests that damage its files.
struct Scribe {
    let engine: SQLiteEngine
    private let client = UUIDv7(high: .random(in: 0...9_999), low: .random(in: 0 ... .max))
    private var sequence: UInt64 = 0
    private var live: [Landmark.ID] = []

    init(_ directory: String) throws {
        engine = try SQLiteEngine(directory: directory, logger: Logger(label: "t") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Makes all kinds of changes, one commit each. What it writes to landmark `n` depends on `n` alone.
    mutating func writeNext() throws {
        let number = Int(sequence)
        let place = try Coordinate(latitude: Double(number % 80), longitude: Double(number % 170))
        switch number % 6 {
        case 3 where !live.isEmpty:
            try apply(.edit(live[number % live.count], LandmarkEdit(coordinate: place), ifVersion: nil))
        case 4 where !live.isEmpty: try apply(.addNote(live[number % live.count], text: "note \(number)"))
        case 5 where live.count > 3: try apply(.remove(live.removeFirst(), ifVersion: nil))
        default:
            let link = String(repeating: "\(number) ", count: number % 7 * 40).trimmingCharacters(in: .whitespaces)
            let draft = try LandmarkDraft(name: "landmark \(number)", coordinate: place, link: link)
            let reply = try apply(.add(draft, note: "first \(number)"))
            if case .written(let written)? = reply.result, let id = UUIDv7(bytes: written.id) { live.append(id) }
        }
    }

    @discardableResult
    mutating func apply(_ command: Command) throws -> WireReply {
        sequence += 1
        let request = WriteRequest(
            client: client, sequence: sequence,
            digest: RequestDigest(of: Array("\(sequence)".utf8)), caller: .anyone(user: "scribe"),
            now: 1_700_000_000_000 + sequence, command: command)
        return try WireReply(serializedBytes: try engine.apply([request]).replies[0])
    }
}
