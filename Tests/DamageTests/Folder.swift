// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation

/// A temporary folder that is deleted with its last reference.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/wd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw FaultError("no folder: errno \(errno)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
