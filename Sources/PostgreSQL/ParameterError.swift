// SPDX-License-Identifier: Apache-2.0

/// Why parameters are not sent. The connection goes on.
public enum ParameterError: Error, Hashable, CustomStringConvertible {
    case nulInText
    /// The most that a message can have is 65,535.
    case tooMany(Int)
    /// Bytes; the most that a server takes in one message is a little less than 1 GiB.
    case tooLarge(Int)
    case wrongCount(expected: Int, given: Int)
    /// Counted from 1 on, as `$1`.
    case wrongType(parameter: Int, expected: ParameterType, given: ParameterType)

    public var description: String {
        switch self {
        case .nulInText: "a text has a NUL character, which PostgreSQL cannot store: remove it"
        case .tooMany(let count): "\(count) parameters are more than the 65,535 of one statement: send arrays instead"
        case .tooLarge(let bytes): "a message of \(bytes) bytes is more than PostgreSQL's 1 GiB: send it in parts"
        case .wrongCount(let expected, let given):
            "the statement has \(expected) parameters: give so many, not \(given)"
        case .wrongType(let parameter, let expected, let given):
            "parameter $\(parameter) was prepared as \(expected): give that, not \(given)"
        }
    }
}
