// SPDX-License-Identifier: Apache-2.0

@testable import QueryService

extension SlowAnswer {
    /// Nil if it is not a page of hits.
    var page: HitsReply? {
        guard case .hits(let page) = self else { return nil }
        return page
    }
}

extension HitsReply {
    /// The encoded `Reply`.
    var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            write(to: UnsafeMutableRawBufferPointer(buffer))
            count = byteCount
        }
    }
}

extension Answering {
    /// The complete answer, in as many steps as it takes.
    func whole() throws -> HitsReply {
        var answering = self
        while true { if let page = try answering.proceed()?.page { return page } }
    }
}
