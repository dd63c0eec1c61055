// SPDX-License-Identifier: Apache-2.0

/// The reasons why a key file cannot be used.
public enum KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(path: String)
    /// Other users may read or write the file.
    case exposed(path: String)
    case malformed(path: String)
    case exists(path: String)
    case io(path: String, reason: String)

    public var description: String {
        switch self {
        case .missing(let path): "There is no key in \(path)."
        case .exposed(let path):
            "The key in \(path) is not used, because others may read or change it: \"chmod 600\" it, and make a new "
                + "key if somebody may have seen it."
        case .malformed(let path): "\(path) holds no key: name a key file, or make a new key."
        case .exists(let path): "\(path) exists already, and is not replaced: name another file, or remove it."
        case .io(let path, let reason): "\(path) cannot be used: \(reason)."
        }
    }
}
