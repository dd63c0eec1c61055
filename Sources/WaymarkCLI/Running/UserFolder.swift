// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Settings

/// A person's folders, which other users cannot read.
enum UserFolder {
    /// Returns the path of a folder of the XDG specification; nil if neither its variable nor `HOME` is set to a path.
    static func path(_ variable: String, else place: String, _ environment: [String: String]) -> String? {
        // The specification demands that a relative path is ignored.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)"
    }

    /// Makes a folder if it does not exist.
    static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Makes the names of files in a file's folder durable, as far as the file system allows it.
    static func syncNames(beside path: String) {
        let descriptor = open(PathText.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes a new folder whose path begins with `beginning`; nil if it cannot be made.
    static func temporary(_ beginning: String) -> String? {
        var template = Array("\(beginning)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
