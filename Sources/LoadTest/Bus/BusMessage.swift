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
}

/// Writes the messages of a run.
struct MessageWriter {
    private let form: BusMessage
    private let seed: UInt64
    private let tag: UInt64?
    /// The size of each message in bytes if it is one frame and always the same size; otherwise nil.
    private let plainSize: Int?
    /// The minimum size of the last frame in bytes.
    private let least: Int
    private var bytes: [UInt8]

    /// - Parameters:
    ///   - seed: the seed of the sizes.
    ///   - tag: the tag of a one-way run; nil for requests.
    init(_ form: BusMessage, seed: UInt64, tag: UInt64? = nil) {
        (self.form, self.seed, self.tag) = (form, seed, tag)
        least = tag == nil ? Payload.fewest : Payload.fewestTagged
        if form.frames == 1, case .fixed(let size) = form.sizes {
            plainSize = max(size, least)
        } else {
            plainSize = nil
        }
        bytes = Payload.make(plainSize ?? least)
    }

    /// Appends the frames of a message, the last of which begins with the number, the time and the tag.
    ///
    /// - Returns: the size of the frames in bytes.
    mutating func append(_ number: UInt64, _ time: UInt64, to message: inout Message) -> Int {
        let size = plainSize ?? form.sizes.size(of: number, seed: seed, least: least)
        // Thousands of connections may each have a buffer, so it grows only with the messages that are sent.
        if bytes.count < size { bytes = Payload.make(max(size, min(2 * bytes.count, MessageSizes.greatest))) }
        Payload.write(number, time, tag: tag, into: &bytes)
        bytes.withUnsafeBytes { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes.prefix(size))
            for _ in 0..<form.frames { message.append(copying: frame) }
        }
        return size * form.frames
    }
}
