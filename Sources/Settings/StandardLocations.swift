// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The default locations of files.
public enum StandardLocations {
    /// Returns the folder `waymark` in the XDG data directory, which is `$XDG_DATA_HOME` or `~/.local/share`.
    ///
    /// - Parameter environment: all environment variables.
    public static func dataDirectory(_ environment: [String: String]) -> String {
        // The XDG Base Directory Specification says to ignore relative paths.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/waymark" }
        return (environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path) + "/.local/share/waymark"
    }

    /// Returns the path of a service's YAML file; nil if there is none. Looks for `config/NAME.yaml` in the working
    /// directory, then in the clone of the repository in which the program was built, then for
    /// `/etc/waymark/NAME.yaml`.
    public static func configuration(_ name: String) -> String? {
        let here = FileManager.default.currentDirectoryPath
        var folders = [here + "/config"]
        if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let build = program.firstRange(of: "/.build/")
        {
            folders.append(program[..<build.lowerBound] + "/config")
        }
        folders.append("/etc/waymark")
        return folders.map { "\($0)/\(name).yaml" }.first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
