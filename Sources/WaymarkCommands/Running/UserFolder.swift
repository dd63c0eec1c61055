// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The folders of a person, into which nobody else can look.
enum UserFolder {
    /// A folder of the XDG specification; nil if neither its variable nor `HOME` names one.
    static func path(_ variable: String, else place: String, _ environment: [String: String]) -> String? {
        // The specification says that a path which is not absolute is to be ignored.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)"
    }

    /// Makes a folder, unless it is there.
    static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Makes a new folder whose path begins so; nil if that is not possible.
    static func temporary(_ beginning: String) -> String? {
        var template = Array("\(beginning)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
