// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// The form of a test's messages.
public struct BusMessage: Hashable, Sendable {
    public let sizes: MessageSizes
    /// The number of frames, at least 1. All have the same size, and the last one begins with the message's number.
    public let frames: Int
    /// The bytes of a message that few messages exceed. Each connection asks for them, and a recording has many sizes.
    let usualBytes: Int

    public init(_ sizes: MessageSizes, frames: Int = 1) {
        (self.sizes, self.frames, usualBytes) = (sizes, frames, sizes.usual * frames)
    }

    /// The size of each message in bytes if it is one frame and always the same size; otherwise nil.
    var plainSize: Int? {
        guard frames == 1, case .fixed(let size) = sizes else { return nil }
        return size
    }
}

/// Writes messages of several frames or of various sizes.
struct MessageWriter {
    private let form: BusMessage
    private let seed: UInt64
    private var bytes: [UInt8] = []

    init(_ form: BusMessage, seed: UInt64) {
        (self.form, self.seed) = (form, seed)
    }

    /// Appends the frames of a message.
    ///
    /// - Parameter head: the beginning of the last frame, which has the message's number.
    mutating func append(_ number: UInt64, _ head: UnsafeRawBufferPointer, to message: inout Message) {
        let (size, frames) = (form.sizes.size(of: number, seed: seed, least: head.count), form.frames)
        // Thousands of connections may each have a buffer, so it grows only with the messages that are sent.
        if bytes.count < size { bytes = Payload.make(max(size, min(2 * bytes.count, MessageSizes.greatest))) }
        bytes.withUnsafeMutableBytes { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes.prefix(size))
            for _ in 1..<frames { message.append(copying: frame) }
            bytes.copyMemory(from: head)
            message.append(copying: frame)
        }
    }
}
