// SPDX-License-Identifier: Apache-2.0

/// Writes values in PostgreSQL's binary formats, which the `recv` function of each type defines.
struct BinaryEncoder {
    /// The maximum size in bytes. The server refuses a message of 1 GiB and ends the session (PQ_LARGE_MESSAGE_LIMIT),
    /// so this limit leaves some bytes for the other fields of a message.
    static let largestMessage = 0x3fff_0000

    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a value, and returns whether there is one. Writes nothing for NULL.
    mutating func append(_ parameter: Parameter) throws(ParameterError) -> Bool {
        switch parameter {
        case .bool(let value): try append(value, Self.bool)
        case .int4(let value): try append(value, Self.integer)
        case .int8(let value): try append(value, Self.integer)
        case .float8(let value): try append(value, Self.float8)
        case .text(let value): try append(value, Self.text)
        case .bytea(let value): try append(value, Self.bytea)
        case .int8Array(let values): try append(array: values, of: .int8, Self.integer)
        case .float8Array(let values): try append(array: values, of: .float8, Self.float8)
        case .textArray(let values): try append(array: values, of: .text, Self.text)
        case .byteaArray(let values): try append(array: values, of: .bytea, Self.bytea)
        }
    }

    // MARK: One value

    private static func bool(_ encoder: inout BinaryEncoder, _ value: Bool) { encoder.append(value ? 1 as UInt8 : 0) }

    private static func integer(_ encoder: inout BinaryEncoder, _ value: some FixedWidthInteger) {
        encoder.append(value)
    }

    private static func float8(_ encoder: inout BinaryEncoder, _ value: Double) { encoder.append(value.bitPattern) }

    private static func text(_ encoder: inout BinaryEncoder, _ value: String) throws(ParameterError) {
        var value = value
        let isWhole = value.withUTF8 { text in
            guard !text.contains(0) else { return false }
            encoder.bytes.append(contentsOf: text)
            return true
        }
        guard isWhole else { throw .nulInText }
    }

    private static func bytea(_ encoder: inout BinaryEncoder, _ value: [UInt8]) {
        encoder.bytes.append(contentsOf: value)
    }

    private mutating func append<Value>(
        _ value: Value?, _ write: (inout BinaryEncoder, Value) throws(ParameterError) -> Void
    ) throws(ParameterError) -> Bool {
        guard let value else { return false }
        try write(&self, value)
        return true
    }

    // MARK: Arrays

    /// Writes an array in the format that `array_recv` reads: the number of dimensions, whether any element is NULL,
    /// the type of the elements, the size and the first index of each dimension, then the elements. An empty array has
    /// no dimension.
    private mutating func append<Value>(
        array values: [Value?]?, of type: ParameterType,
        _ write: (inout BinaryEncoder, Value) throws(ParameterError) -> Void
    ) throws(ParameterError) -> Bool {
        guard let values else { return false }
        append(values.isEmpty ? 0 : 1 as Int32)
        append(values.contains { $0 == nil } ? 1 : 0 as Int32)
        append(type.oid)
        guard !values.isEmpty else { return true }
        append(Int32(clamping: values.count))
        append(1 as Int32)
        for value in values {
            let start = bytes.count
            append(-1 as Int32)
            guard let value else { continue }
            try write(&self, value)
            try setLength(at: start)
        }
        return true
    }

    /// Writes the length of an element in front of it. Also checks the size, so that an array that is too large stops
    /// growing.
    private mutating func setLength(at start: Int) throws(ParameterError) {
        guard bytes.count <= Self.largestMessage else { throw .tooLarge(bytes.count) }
        let length = UInt32(truncatingIfNeeded: bytes.count - start - 4)
        for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    }
}
