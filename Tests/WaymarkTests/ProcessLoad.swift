// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import Testing

/// What `waymark bench` told as JSON.
extension ProcessResult {
    /// - Parameter status: how it has to have ended.
    func report(status wanted: Int32 = 0) throws -> LoadReport {
        #expect(status == wanted, "\(err)")
        #expect(out.count == 1, "\(out)")
        return try LoadReport(Data(try #require(out.first).utf8))
    }
}
