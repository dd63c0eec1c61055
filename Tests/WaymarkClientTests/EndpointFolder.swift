// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for local endpoints, deleted with its last reference.
final class EndpointFolder: Sendable {
    let path: String
    var endpoint: String { "ipc://\(path)/s" }

    init() throws {
        var template = Array("/tmp/wm-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
