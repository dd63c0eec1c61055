// SPDX-License-Identifier: Apache-2.0

/// Splits paths into folder and name.
///
/// `NSString.deletingLastPathComponent` would do the same, but on Linux it traps on a relative path of one character.
public enum PathText {
    /// The folder that holds `path`: `a` of `a/b`, `/` of `/b`, and `.` of `b`.
    public static func folder(of path: String) -> String {
        let whole = trimmed(path)
        guard let slash = whole.lastIndex(of: "/") else { return "." }
        let folder = trimmed(whole[..<slash])
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The last word of `path`: `b` of `a/b` and of `a/b/`; empty if there is none.
    public static func name(of path: String) -> String {
        trimmed(path).split(separator: "/").last.map(String.init) ?? ""
    }

    /// `path` with `-word` before its extension: `near-4.hgrm` of `near.hgrm`.
    public static func marked(_ path: String, _ word: String) -> String {
        let name = name(of: path)
        // The dot of a hidden file such as `.near` begins no extension.
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path)-\(word)" }
        let ending = name[dot...]
        return "\(path.dropLast(ending.count))-\(word)\(ending)"
    }

    /// The path without trailing slashes.
    private static func trimmed(_ path: some StringProtocol) -> Substring {
        Substring(path)[..<(path.lastIndex { $0 != "/" }.map { path.index(after: $0) } ?? path.startIndex)]
    }
}
