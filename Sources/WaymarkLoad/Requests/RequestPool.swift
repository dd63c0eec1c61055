// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// Requests that are encoded before the run, so that encoding is not measured. They are stored one after another in one
/// array, so that sending a request allocates no array.
struct RequestPool: Sendable {
    static let size = 16_384

    private(set) var bytes: [UInt8] = []
    /// The offset of each request in the array, and the end of the last request.
    private(set) var starts: [Int] = [0]

    init(_ make: () -> WireRequest) { self.init(Self.size) { make().encoded } }

    init(_ count: Int, make: () -> [UInt8]) {
        starts.reserveCapacity(count + 1)
        for _ in 0..<count {
            bytes += make()
            starts.append(bytes.count)
        }
    }

    /// Returns the index of the request that is used for a number.
    func place(_ number: UInt64) -> Int { Int(number % UInt64(Self.size)) }

    func append(_ number: UInt64, to body: inout [UInt8]) {
        let place = place(number)
        bytes.withUnsafeBytes { bytes in
            body.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]]))
        }
    }
}
