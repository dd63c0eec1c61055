// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestSupport

/// Seeded values of all types, with many that are special.
struct RandomValues {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func value(_ type: ParameterType) -> Parameter {
        let isNull = chance(10)
        return switch type {
        case .bool: .bool(isNull ? nil : chance(2))
        case .int4: .int4(isNull ? nil : integer())
        case .int8: .int8(isNull ? nil : integer())
        case .float8: .float8(isNull ? nil : double())
        case .text: .text(isNull ? nil : text())
        case .bytea: .bytea(isNull ? nil : bytes())
        case .int8Array: .int8Array(isNull ? nil : many { $0.integer() })
        case .float8Array: .float8Array(isNull ? nil : many { $0.double() })
        case .textArray: .textArray(isNull ? nil : many { $0.text() })
        case .byteaArray: .byteaArray(isNull ? nil : many { $0.bytes() })
        }
    }

    mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

    /// Of all sizes, with 0 and both ends.
    private mutating func integer<Value: FixedWidthInteger>() -> Value {
        Value(truncatingIfNeeded: random.next() >> (random.next() % 65)) &* (chance(2) ? 1 : -1 as Int).clamped()
    }

    /// All bits, so also NaN with a payload and subnormal ones.
    private mutating func double() -> Double { Double(bitPattern: random.next()) }

    private mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<random.next() % 40 {
            // Surrogates are none.
            let limit = [0x7f, 0x7ff, 0xffff, 0x10ffff].randomElement(using: &random) ?? 0x7f
            if let scalar = Unicode.Scalar(UInt32(random.next() % UInt64(limit)) + 1) { text.append(scalar) }
        }
        return String(text)
    }

    private mutating func bytes() -> [UInt8] {
        (0..<random.next() % 200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private mutating func many<Value>(_ make: (inout RandomValues) -> Value) -> [Value?] {
        (0..<random.next() % 20).map { _ in chance(8) ? nil : make(&self) }
    }
}

extension Int {
    fileprivate func clamped<Value: FixedWidthInteger>() -> Value { Value(clamping: self) }
}
