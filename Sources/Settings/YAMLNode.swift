// SPDX-License-Identifier: Apache-2.0

/// A value in a YAML document, with the line it begins in.
public struct YAMLNode: Sendable {
    public enum Content: Sendable {
        /// `isPlain` is true for a text without quotes, which alone can mean null.
        case scalar(String, isPlain: Bool)
        /// In the order of the file. Each name stands once.
        case mapping([Member])
        case sequence([YAMLNode])
    }

    public struct Member: Sendable {
        public let name: String
        /// The line of the name, from 1 on.
        public let line: Int
        public let value: YAMLNode
    }

    public let content: Content
    /// From 1 on.
    public let line: Int

    /// The text of a scalar; nil for anything else.
    public var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether this is what YAML takes for nothing: `~`, `null`, or no value at all.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// Why a text is not a YAML document that can be used here.
public struct YAMLError: Error, Equatable {
    /// From 1 on; nil if the problem has no line.
    public let line: Int?
    /// A clause without a full stop, such as "beacon is given twice".
    public let problem: String

    public init(line: Int?, problem: String) {
        self.line = line
        self.problem = problem
    }
}
