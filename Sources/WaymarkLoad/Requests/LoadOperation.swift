// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// What is asked for over and over: each request in encoded form, and what its answer has to be.
public protocol LoadOperation: Sendable {
    /// `near`, `write`, …
    var name: String { get }
    /// The `Request`, encoded. Of each number one.
    mutating func body(_ number: UInt64) -> [UInt8]
    /// Nil: the answer is what was asked for; else a word for what is wrong with it.
    ///
    /// - Parameter reply: the `Reply`, encoded.
    func fault(_ reply: ReplyReader) -> String?
}

/// A pool of requests that were encoded before the run, so that encoding is no part of what is measured.
struct RequestPool: Sendable {
    private let bodies: [[UInt8]]

    static let size = 16_384

    init(_ make: () -> WireRequest) {
        bodies = (0..<Self.size).map { _ in make().encodedBody }
    }

    func body(_ number: UInt64) -> [UInt8] { bodies[Int(number % UInt64(bodies.count))] }
}

extension WireRequest {
    /// Encoding fails only where a required field is not set, and proto3 has none.
    var encodedBody: [UInt8] { (try? serializedBytes()) ?? [] }
}
