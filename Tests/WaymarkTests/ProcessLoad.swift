// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import Testing

/// Reads the JSON report of `waymark bench`.
extension ProcessResult {
    /// - Parameter status: the expected exit status.
    func report(status wanted: Int32 = 0) throws -> LoadReport {
        #expect(status == wanted, "\(err)")
        #expect(out.count == 1, "\(out)")
        return try LoadReport(Data(try #require(out.first).utf8))
    }
}

extension ProcessBench {
    /// Runs `waymark bench bus` with a peer that listens; again while nobody is found there, because on a busy machine
    /// libzmq's thread may need longer for the connection than the command waits for it.
    func bus(_ words: [String], at peer: String) async throws -> ProcessResult {
        var result: ProcessResult
        var runs = 0
        repeat {
            result = try await finish("waymark", ["bench", "bus"] + words)
            runs += 1
        } while runs < 5 && result.err.contains(where: { Self.isMissed(peer, in: $0) })
        return result
    }

    /// Whether a line tells that nobody listens at this endpoint.
    static func isMissed(_ peer: String, in line: String) -> Bool { line.contains("Nobody listens at \(peer),") }
}
