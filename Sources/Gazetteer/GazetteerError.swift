// SPDX-License-Identifier: Apache-2.0

/// The reason why a gazetteer could not be read.
public enum GazetteerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read.
    case unreadable(path: String)
    /// The bytes are not a gazetteer of this release, or were damaged.
    case damaged

    /// One sentence for people.
    public var description: String {
        switch self {
        case .unreadable(let path): "the gazetteer \(path) cannot be read: check that the file is there."
        case .damaged: "this is no gazetteer of this release, or it is damaged: make it again."
        }
    }
}
