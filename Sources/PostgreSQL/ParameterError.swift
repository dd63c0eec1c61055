// SPDX-License-Identifier: Apache-2.0

/// The reasons why parameters are not sent. The connection can still be used.
public enum ParameterError: Error, Hashable, CustomStringConvertible {
    case nulInText
    /// There are too many parameters. A message can have at most 65,535.
    case tooMany(Int)
    /// There are too many bytes. A server accepts a little less than 1 GiB in one message.
    case tooLarge(Int)
    case wrongCount(expected: Int, given: Int)
    /// A parameter has another type than the statement expects. Parameters are numbered from 1, as in `$1`.
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
