// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// The health of a service. It is alive if it answers at all, and ready if it can do its work.
public struct HealthReport: Hashable, Sendable {
    /// Problems that prevent the service from doing its work, one sentence each, for an operator. Empty if it is ready.
    public var problems: [String]
    /// Facts that an operator should know although the service works, one sentence each.
    public var remarks: [String]

    public var isReady: Bool { problems.isEmpty }

    public init(problems: [String] = [], remarks: [String] = []) {
        self.problems = problems
        self.remarks = remarks
    }

    /// The limits that the protocol sets for reports: see `Protocol.md`, command `health`.
    private static let sentences = 16
    private static let characters = 400

    /// The report as a message, cut to the limits of the protocol.
    package var wire: WireHealthReport {
        .with {
            $0.ready = isReady
            $0.problems = Self.bounded(problems)
            $0.remarks = Self.bounded(remarks)
        }
    }

    /// Reads another service's report. If it is not ready but names no problem, a general problem is added.
    package init(_ wire: WireHealthReport) {
        self.init(problems: Self.bounded(wire.problems), remarks: Self.bounded(wire.remarks))
        if !wire.ready, problems.isEmpty { problems = ["The service is not ready and does not say why."] }
    }

    private static func bounded(_ sentences: [String]) -> [String] {
        sentences.prefix(Self.sentences).map { String($0.prefix(characters)) }
    }
}
