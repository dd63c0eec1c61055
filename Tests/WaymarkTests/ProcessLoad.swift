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
