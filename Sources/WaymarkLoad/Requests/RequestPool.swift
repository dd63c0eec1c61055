// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// A pool of requests that were encoded before the run, so that encoding is no part of what is measured: one behind the
/// other, so that no array is handed around either.
struct RequestPool: Sendable {
    static let size = 16_384

    private(set) var bytes: [UInt8] = []
    /// Where each begins, and where the last one ends.
    private(set) var starts: [Int] = [0]

    init(_ make: () -> WireRequest) {
        starts.reserveCapacity(Self.size + 1)
        for _ in 0..<Self.size {
            bytes += make().encodedBody
            starts.append(bytes.count)
        }
    }

    /// Which of them has this number.
    func place(_ number: UInt64) -> Int { Int(number % UInt64(Self.size)) }

    func append(_ number: UInt64, to body: inout [UInt8]) {
        let place = place(number)
        bytes.withUnsafeBytes { bytes in
            body.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]]))
        }
    }
}

extension WireRequest {
    /// Encoding fails only where a required field is not set, and proto3 has none.
    var encodedBody: [UInt8] { (try? serializedBytes()) ?? [] }
}
