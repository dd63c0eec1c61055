// SPDX-License-Identifier: Apache-2.0

/// An operation that a load test repeats. It makes the encoded requests and checks the answers.
public protocol LoadOperation: Sendable {
    /// The name of the operation: `near`, `write`, …
    var name: String { get }
    /// Appends one encoded `Request` to `body`. Called once for each number.
    mutating func append(_ number: UInt64, to body: inout [UInt8])
    /// Checks an answer, and returns a word for its fault; nil if it fits the request.
    ///
    /// - Parameter reply: reads the encoded `Reply`.
    func fault(_ reply: ReplyReader) -> String?
}
