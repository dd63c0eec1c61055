// SPDX-License-Identifier: Apache-2.0

/// A value in a YAML document, with the line in which it begins.
public struct YAMLNode: Sendable {
    public enum Content: Sendable {
        /// A text. `isPlain` is true if it has no quotes, because only a text without quotes can mean null.
        case scalar(String, isPlain: Bool)
        /// Members in the order of the file. No name occurs twice.
        case mapping([Member])
        case sequence([YAMLNode])
    }

    public struct Member: Sendable {
        public let name: String
        /// The line of the name, counted from 1.
        public let line: Int
        public let value: YAMLNode
    }

    public let content: Content
    /// The line, counted from 1.
    public let line: Int

    /// The text of a scalar; nil for a mapping or sequence.
    public var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether the value is null in YAML, which is written `~`, `null` or nothing.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// The reason why a text cannot be read as a YAML document.
public struct YAMLError: Error, Equatable {
    /// The line, counted from 1; nil if the problem belongs to no line.
    public let line: Int?
    /// The problem, as a clause without a full stop, such as "beacon is given twice".
    public let problem: String
}
