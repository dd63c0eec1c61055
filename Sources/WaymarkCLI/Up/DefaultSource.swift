// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Ingest

/// The source of `up` without a `config/query.yaml`: five landmarks around Sydney, so that there is something to see.
/// They are compiled in, because the program may run in any folder.
enum DefaultSource {
    static let name = "sydney"

    /// The contents of `config/sydney.json`. A test checks that this text and the file are equal.
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

    /// Writes the source to a file beside the data, so that people can open its path, and returns its definition.
    static func definition(in directory: String) throws -> SourceDefinition {
        let path = try write(text, as: "\(name).json", in: directory)
        return try SourceDefinition(name: name, location: SourceLocation(path), format: .auto, every: .seconds(3_600))
    }

    /// Writes a default file beside the data, replacing it at each start.
    ///
    /// - Returns: the file's path.
    static func write(_ text: String, as name: String, in directory: String) throws -> String {
        // The path must be absolute, because a relative path with a colon would be read as a URL with a scheme.
        let here = FileManager.default.currentDirectoryPath
        let path = (directory.hasPrefix("/") ? directory : "\(here)/\(directory)") + "/\(name)"
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.failed, "output", "\(path) cannot be written: check the permissions of its folder.")
        }
        return path
    }
}
