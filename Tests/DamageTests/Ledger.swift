// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

/// Makes writes, and records their outcomes.
final class Ledger: Sendable {
    private let kept = Locked<(records: [WriteRecord], codes: [String: Int])>(([], [:]))

    var records: [WriteRecord] { kept.withLock { $0.records } }
    /// The number of refusals by code.
    var codes: [String: Int] { kept.withLock { $0.codes } }
    var acknowledged: Int {
        records.count { if case .answered = $0 { true } else { false } }
    }

    /// Adds a landmark with a unique name and a note.
    @discardableResult
    func add(_ client: WaymarkClient, _ longitude: Double = 2, kind: String = "", padding: Int = 0) async throws
        -> Written?
    {
        let sequence = kept.withLock { kept in
            let sequence = UInt64(kept.records.count + 1)
            kept.records.append(.sent(sequence: sequence, .added, marker: "w-\(sequence)", note: "n-\(sequence)"))
            return sequence
        }
        let draft = try LandmarkDraft(
            name: "w-\(sequence)", coordinate: Coordinate(latitude: 1, longitude: longitude), kind: kind,
            link: String(repeating: "l", count: padding))
        do throws(ClientError) {
            let written = try await client.add(draft, note: "n-\(sequence)")
            record(.answered(sequence: sequence, rev: written.rev, id: written.id))
            return written
        } catch .refused(let refusal) where refusal.code != .internal {
            record(.refused(sequence: sequence, code: refusal.code.name), refusal.code.name)
        } catch .refused(let refusal) {
            record(.unanswered(sequence: sequence), refusal.code.name)
        } catch {
            record(.unanswered(sequence: sequence), "unanswered")
        }
        return nil
    }

    private func record(_ record: WriteRecord, _ code: String? = nil) {
        kept.withLock { kept in
            kept.records.append(record)
            if let code { kept.codes[code, default: 0] += 1 }
        }
    }
}
