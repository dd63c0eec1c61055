// SPDX-License-Identifier: Apache-2.0

/// What is asked for over and over: each request in encoded form, and what its answer has to be.
public protocol LoadOperation: Sendable {
    /// `near`, `write`, …
    var name: String { get }
    /// Puts the `Request`, encoded, behind what is in `body`. Of each number one.
    mutating func append(_ number: UInt64, to body: inout [UInt8])
    /// Nil: the answer is what was asked for; else a word for what is wrong with it.
    ///
    /// - Parameter reply: the `Reply`, encoded.
    func fault(_ reply: ReplyReader) -> String?
}
