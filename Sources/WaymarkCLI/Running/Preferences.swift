// SPDX-License-Identifier: Apache-2.0

import Accounts
import Glibc
import Settings
import WaymarkJSON

/// A person's preferences, kept between commands in `waymark/config.json` in the XDG configuration folder:
/// `{"user":"NAME",…}`. Unknown members of the file are preserved.
struct Preferences {
    /// The path of the file; nil if neither `XDG_CONFIG_HOME` nor `HOME` names a folder.
    let path: String?
    private static let mostBytes = 65_536

    /// - Parameter environment: all environment variables of the process.
    init(environment: [String: String]) {
        path = UserFolder.path("XDG_CONFIG_HOME", else: ".config", environment).map { $0 + "/waymark/config.json" }
    }

    /// Returns the value of a preference; nil if it is not set.
    func value(_ preference: Preference) throws -> String? {
        guard let path, let value = try members().last(where: { $0.name == preference.member })?.value else {
            return nil
        }
        guard case .string(let text) = value, let checked = try? preference.checked(text) else {
            throw malformed(path, preference)
        }
        return checked
    }

    /// - Parameter value: the new value; nil removes the preference.
    func set(_ preference: Preference, to value: String?) throws {
        let path = try path.or(
            Failure("config", "Preferences cannot be stored without a folder: set HOME or XDG_CONFIG_HOME."))
        var members = try members().filter { $0.name != preference.member }
        if let value { members.append(JSONMember(name: preference.member, value: .string(value))) }
        let folder = PathText.folder(of: path)
        do { try UserFolder.make(folder) } catch {
            throw Failure("config", "The folder \(folder) cannot be created: check the permissions.")
        }
        // After a crash the file is either the old file or the new one. Other users cannot read it.
        do throws(KeyFileError) {
            try SecretFile.write(JSONWriter.line { $0.fields(members) }, path, replacing: true)
        } catch {
            guard case .io(_, let reason) = error else { throw error }
            throw Failure("config", "\(path) cannot be written: \(reason).")
        }
    }

    private func members() throws -> [JSONMember] {
        guard let path, access(path, F_OK) == 0 else { return [] }
        let data = try BoundedFile.read(path, upTo: Self.mostBytes)
            .or(Failure("config", "\(path) cannot be read: check its permissions."))
        guard case .object(let members)? = try? JSONReader.read([UInt8](data)) else {
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
