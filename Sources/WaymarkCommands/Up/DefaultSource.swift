// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ingest
import QueryService

/// The source of whoever starts `up` where there is no `config/query.yaml`: five landmarks around Sydney, so that there
/// is something to see. It is in the program, because the program may be anywhere.
enum DefaultSource {
    static let name = "sydney"

    /// As `config/sydney.json` has it; a test compares them.
    static let text = #"""
        {
          "locations": [
            { "name": "Milsons Point", "lat": -33.850750, "lng": 151.212519 },
            { "name": "Bondi Beach", "lat": -33.889967, "lng": 151.276440 },
            { "name": "Circular Quay", "lat": -33.860178, "lng": 151.212706 },
            { "name": "Manly Beach", "lat": -33.797151, "lng": 151.288784 },
            { "name": "Darling Harbour", "lat": -33.873379, "lng": 151.200940 }
          ],
          "updated": "2016-12-01T06:52:08Z"
        }

        """#

    /// The source, from a file beside the data that is written anew at each start: an address that can be looked at.
    static func definition(in directory: String) throws -> SourceDefinition {
        // Absolute: a folder's name with a colon would be read as a scheme.
        let here = FileManager.default.currentDirectoryPath
        let path = (directory.hasPrefix("/") ? directory : "\(here)/\(directory)") + "/\(name).json"
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.failed, "output", "\(path) cannot be written: see that its folder is yours.")
        }
        return try SourceDefinition(name: name, location: SourceLocation(path), format: .auto, every: .seconds(3_600))
    }
}
