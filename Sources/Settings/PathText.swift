// SPDX-License-Identifier: Apache-2.0

/// Splits paths into a folder and a name.
///
/// `NSString.deletingLastPathComponent` would do, but on Linux it traps on a relative path of one character.
public enum PathText {
    /// Returns the folder that contains `path`: `a` for `a/b`, `/` for `/b`, and `.` for `b`.
    public static func folder(of path: String) -> String {
        let whole = trimmed(path)
        guard let slash = whole.lastIndex(of: "/") else { return "." }
        let folder = trimmed(whole[..<slash])
        return folder.isEmpty ? "/" : String(folder)
    }

    /// Returns the last component of `path`: `b` for `a/b` and for `a/b/`. Empty if there is none.
    public static func name(of path: String) -> String {
        trimmed(path).split(separator: "/").last.map(String.init) ?? ""
    }

    /// Returns `path` with `-word` inserted before its extension: `near-4.hgrm` for `near.hgrm` and the word `4`.
    public static func marked(_ path: String, _ word: String) -> String {
        let name = name(of: path)
        // In a hidden file such as `.near`, the dot does not begin an extension.
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path)-\(word)" }
        let ending = name[dot...]
        return "\(path.dropLast(ending.count))-\(word)\(ending)"
    }

    /// Returns the path without trailing slashes.
    private static func trimmed(_ path: some StringProtocol) -> Substring {
        Substring(path)[..<(path.lastIndex { $0 != "/" }.map { path.index(after: $0) } ?? path.startIndex)]
    }
}
