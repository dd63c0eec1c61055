// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of a test's own, gone with this object.
final class DatabaseFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/waymark-sqlite-\(UUID().uuidString)"
    var file: String { path + "/x.sqlite" }

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
