// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Resolves the relative paths in a settings file.
enum SettingsPath {
    /// Returns `path` resolved in the folder of `file`, or unchanged if it is absolute.
    static func resolve(_ path: String, inFolderOf file: String) -> String {
        path.hasPrefix("/") || path.isEmpty ? path : folder(of: file) + "/" + path
    }

    /// Returns `location` resolved in the folder of `file`, if it has no scheme or is a relative `file:` URL. Other
    /// URLs are returned unchanged.
    static func resolveLocation(_ location: String, inFolderOf file: String) -> String {
        guard let colon = location.firstIndex(of: ":") else { return resolve(location, inFolderOf: file) }
        guard location[..<colon].lowercased() == "file" else { return location }
        let rest = location[location.index(after: colon)...]
        guard !rest.hasPrefix("/"), !rest.isEmpty else { return location }
        var encoded = URLComponents()
        encoded.path = folder(of: file)
        return "file:\(encoded.percentEncodedPath)/\(rest)"
    }

    private static func folder(of file: String) -> String {
        let absolute =
            file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
        // Leave out ".", because otherwise messages would show paths such as "/home/./config/query.yaml".
        let words = PathText.folder(of: absolute).split(separator: "/").filter { $0 != "." }
        return "/" + words.joined(separator: "/")
    }
}
