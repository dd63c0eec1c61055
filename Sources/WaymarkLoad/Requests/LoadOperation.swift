// SPDX-License-Identifier: Apache-2.0

/// An operation that a load test repeats: makes the encoded requests and checks the answers.
public protocol LoadOperation: Sendable {
    /// The name of the operation: `near`, `write`, …
    var name: String { get }
    /// Appends one encoded `Request` to `body`. Each number is used once.
    mutating func append(_ number: UInt64, to body: inout [UInt8])
    /// Checks an answer: nil if it fits the request, otherwise a word for the fault.
    ///
    /// - Parameter reply: the encoded `Reply`.
    func fault(_ reply: ReplyReader) -> String?
}
