// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Landmarks

/// The preferences of a person, kept between calls: `{"user":"NAME"}` in `waymark/config.json` of the XDG
/// configuration folder. Members that this version does not know are preserved.
struct Preferences {
    /// The path of the file; nil if neither `XDG_CONFIG_HOME` nor `HOME` names a folder.
    let path: String?

    /// - Parameter environment: all environment variables.
    init(environment: [String: String]) {
        // The XDG specification says that a path which is not absolute is to be ignored.
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            path = folder + "/waymark/config.json"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = home + "/.config/waymark/config.json"
        } else {
            path = nil
        }
    }

    /// The name that was set; nil if none was.
    func user() throws -> String? {
        guard let path, let user = try members()["user"] else { return nil }
        guard let text = user as? String, let name = try? LandmarkRules.user(text) else {
            throw malformed(path)
        }
        return name
    }

    func setUser(_ name: String) throws {
        guard let path else {
            throw Failure(.failed, "config", "The name cannot be stored without a folder: set HOME or XDG_CONFIG_HOME.")
        }
        var members = try members()
        members["user"] = name
        let data = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .prettyPrinted])
        try replace(path, with: Array(data) + [UInt8(ascii: "\n")])
    }

    private func members() throws -> [String: Any] {
        guard let path, FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(.failed, "config", "\(path) cannot be read: check its permissions.")
        }
        guard let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw malformed(path)
        }
        return members
    }

    /// A crash leaves either the old file or the new one. Other users cannot read the file.
    private func replace(_ path: String, with bytes: [UInt8]) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(.failed, "config", "The folder \(folder) cannot be created: check the permissions.")
        }
        let draft = "\(path).\(getpid())"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path) }
        let isWritten = (try? DescriptorSink(descriptor: descriptor).write(bytes)) != nil && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(draft, path) == 0 else {
            let error = unwritable(path)
            unlink(draft)
            throw error
        }
    }

    private func malformed(_ path: String) -> Failure {
        Failure(.failed, "config", "\(path) is not {\"user\": NAME}: correct it, or remove it and set the name again.")
    }

    private func unwritable(_ path: String) -> Failure {
        Failure(.failed, "config", "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
