// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Settings

/// A person's preferences, kept between commands in `waymark/config.json` in the XDG configuration folder:
/// `{"user":"NAME",…}`. Unknown members of the file are preserved.
struct Preferences {
    /// The path of the file; nil if neither `XDG_CONFIG_HOME` nor `HOME` names a folder.
    let path: String?

    /// - Parameter environment: all environment variables of the process.
    init(environment: [String: String]) {
        path = UserFolder.path("XDG_CONFIG_HOME", else: ".config", environment).map { $0 + "/waymark/config.json" }
    }

    /// Returns the person's name; nil if it is not set.
    func user() throws -> String? { try value(.name) }

    /// Returns the value of a preference; nil if it is not set.
    func value(_ preference: Preference) throws -> String? {
        guard let path, let value = try members()[preference.member] else { return nil }
        guard let text = value as? String, let checked = try? preference.checked(text) else {
            throw malformed(path, preference)
        }
        return checked
    }

    /// - Parameter value: the new value; nil removes the preference.
    func set(_ preference: Preference, to value: String?) throws {
        guard let path else {
            throw Failure("config", "Preferences cannot be stored without a folder: set HOME or XDG_CONFIG_HOME.")
        }
        var members = try members()
        members[preference.member] = value
        let data = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .prettyPrinted])
        let folder = PathText.folder(of: path)
        do { try UserFolder.make(folder) } catch {
            throw Failure("config", "The folder \(folder) cannot be created: check the permissions.")
        }
        // After a crash the file is either the old file or the new one. Other users cannot read it.
        do throws(KeyFileError) {
            try SecretFile.write(Array(data) + [UInt8(ascii: "\n")], path, replacing: true)
        } catch .io(_, let reason) {
            throw Failure("config", "\(path) cannot be written: \(reason).")
        }
    }

    private func members() throws -> [String: Any] {
        guard let path, FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("config", "\(path) cannot be read: check its permissions.")
        }
        guard let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw malformed(path)
        }
        return members
    }

    private func malformed(_ path: String, _ preference: Preference? = nil) -> Failure {
        let what =
            preference.map { "\"\($0.member)\" in \(path) is no such value" } ?? "\(path) is not JSON of preferences"
        return Failure("config", "\(what): correct it, or remove it and set your preferences again.")
    }
}
