// SPDX-License-Identifier: Apache-2.0

/// A value for a statement's parameter. It carries its type, which must be the one that the statement was prepared for;
/// nil is NULL of that type.
public enum Parameter: Hashable, Sendable {
    case bool(Bool?)
    case int4(Int32?)
    case int8(Int64?)
    case float8(Double?)
    /// A text with a NUL character is refused: PostgreSQL has no such texts.
    case text(String?)
    case bytea([UInt8]?)

    case int8Array([Int64?]?)
    case float8Array([Double?]?)
    case textArray([String?]?)
    case byteaArray([[UInt8]?]?)

    public var type: ParameterType {
        switch self {
        case .bool: .bool
        case .int4: .int4
        case .int8: .int8
        case .float8: .float8
        case .text: .text
        case .bytea: .bytea
        case .int8Array: .int8Array
        case .float8Array: .float8Array
        case .textArray: .textArray
        case .byteaArray: .byteaArray
        }
    }
}
