// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The encoded parameters of one statement, all in one buffer.
struct Parameters {
    /// PQ_QUERY_PARAM_MAX_LIMIT, because the protocol counts parameters in 16 bits.
    static let mostParameters = Int(PQ_QUERY_PARAM_MAX_LIMIT)

    private var encoder = BinaryEncoder()
    /// The byte offset and the length of each value in the buffer; nil for NULL.
    private var places: [(start: Int, length: Int)?] = []
    private(set) var types: [ParameterType] = []

    init(_ parameters: [Parameter]) throws(PostgreSQLError) {
        guard parameters.count <= Self.mostParameters else { throw .parameter(.tooMany(parameters.count)) }
        // At least one byte gives the buffer an address. Without one, libpq would send an empty value as NULL.
        encoder.append(0 as UInt8)
        places.reserveCapacity(parameters.count)
        do throws(ParameterError) {
            for parameter in parameters {
                let start = encoder.bytes.count
                places.append(try encoder.append(parameter) ? (start, encoder.bytes.count - start) : nil)
                try Self.checkSize(encoder.bytes.count + 16 * parameters.count)
            }
        } catch { throw .parameter(error) }
        types = parameters.map(\.type)
    }

    /// Checks the types of the parameters.
    ///
    /// - Throws: an error if the statement was prepared for other types. PostgreSQL would take the bytes for a value of
    ///   its own type if the lengths are the same.
    func check(_ expected: [ParameterType]) throws(PostgreSQLError) {
        guard types.count == expected.count else {
            throw .parameter(.wrongCount(expected: expected.count, given: types.count))
        }
        for (number, (expected, given)) in zip(expected, types).enumerated() where expected != given {
            throw .parameter(.wrongType(parameter: number + 1, expected: expected, given: given))
        }
    }

    static func checkSize(_ bytes: Int) throws(ParameterError) {
        guard bytes <= BinaryEncoder.largestMessage else { throw .tooLarge(bytes) }
    }

    /// The parameters in the form that libpq's send functions need.
    struct Pointers {
        let count: CInt
        let types: [Oid]
        let values: [UnsafePointer<CChar>?]
        let lengths: [CInt]
        /// The format of each parameter; 1 means binary.
        let formats: [CInt]
    }

    /// Calls `body` with pointers that are valid only inside `body`. libpq copies what it sends.
    func withPointers<Value>(_ body: (Pointers) -> Value) -> Value {
        encoder.bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(
                Pointers(
                    count: CInt(clamping: places.count), types: types.map(\.oid),
                    values: places.map { place in place.flatMap { start?.advanced(by: $0.start) } },
                    lengths: places.map { CInt(clamping: $0?.length ?? 0) },
                    formats: Array(repeating: 1, count: places.count)))
        }
    }
}
