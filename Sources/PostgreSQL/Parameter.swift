// SPDX-License-Identifier: Apache-2.0

/// A value for a parameter, of the type for which the statement was prepared. The associated value is nil for NULL.
public enum Parameter: Hashable, Sendable {
    case bool(Bool?)
    case int4(Int32?)
    case int8(Int64?)
    case float8(Double?)
    /// A text with a NUL character is refused, because PostgreSQL cannot store one.
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
