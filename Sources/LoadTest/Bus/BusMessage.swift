// SPDX-License-Identifier: Apache-2.0

import Glibc
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

struct MessageWriter {
    private let form: BusMessage
    /// The seed of the sizes.
    private let seed: UInt64
    /// The tag of a one-way run; nil for requests.
    private let tag: UInt64?
    /// The size of each message in bytes if it is one frame and always the same size; otherwise nil.
    private let plainSize: Int?
    /// The minimum size of the last frame in bytes.
    private let least: Int
    private var bytes: [UInt8]

    init(_ form: BusMessage, seed: UInt64, tag: UInt64? = nil) {
        (self.form, self.seed, self.tag) = (form, seed, tag)
        least = tag == nil ? Payload.fewest : Payload.fewestTagged
        plainSize = if form.frames == 1, case .fixed(let size) = form.sizes { max(size, least) } else { nil }
        bytes = Payload.make(plainSize ?? least)
    }

    /// Appends the frames of a message, the last of which begins with the number, the time and the tag.
    ///
    /// - Returns: the size of the frames in bytes.
    mutating func append(_ number: UInt64, _ time: UInt64, to message: inout Message) -> Int {
        let (size, frames) = (plainSize ?? form.sizes.size(of: number, seed: seed, least: least), form.frames)
        // Thousands of connections may each have a buffer, so it grows only with the messages that are sent.
        if bytes.count < size { bytes = Payload.make(max(size, min(2 * bytes.count, MessageSizes.greatest))) }
        Payload.write(number, time, tag: tag, into: &bytes)
        bytes.withUnsafeBytes { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes.prefix(size))
            for _ in 0..<frames { message.append(copying: frame) }
        }
        return size * frames
    }
}

/// The content of a message: its number and its intended time, 8 little-endian bytes each, followed by random bytes.
///
/// A one-way message also contains the tag of its run, 8 random bytes. A bus may carry messages of other programs, or
/// still hold messages of an earlier run. Without the tag, their numbers could be mistaken for numbers of this run.
enum Payload {
    /// The minimum size of a one-way message in bytes.
    static let fewestTagged = 24

    /// The minimum size of a message that contains a number and a time, in bytes.
    static let fewest = 16

    static func make(_ size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(size, fewest))
        // Fill the rest with varying bytes, because the bus may compress messages.
        var random = SeededGenerator(seed: UInt64(size))
        for index in fewest..<max(size, fewest) { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        return bytes
    }

    /// - Parameter tag: the tag of a one-way message; nil for a request.
    static func write(_ number: UInt64, _ time: UInt64, tag: UInt64? = nil, into bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: number.littleEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: time.littleEndian, toByteOffset: 8, as: UInt64.self)
            if let tag { $0.storeBytes(of: tag.littleEndian, toByteOffset: fewest, as: UInt64.self) }
        }
    }

    /// Reads a one-way message. Nil if it is too short, has a different tag, or has a number that no run reaches.
    static func read(_ bytes: UnsafeRawBufferPointer, tag: UInt64) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewestTagged,
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: fewest, as: UInt64.self)) == tag,
            let told = read(bytes), told.number <= SequenceLedger.greatest
        else { return nil }
        return told
    }

    /// Reads a message without a tag; nil if it is too short.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (number: UInt64, time: UInt64)? {
        guard bytes.count >= fewest else { return nil }
        return (
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }
}

/// The sizes of a run's messages in bytes. The size of a message depends only on its number and the seed, so a repeated
/// run sends the same messages.
public enum MessageSizes: Hashable, Sendable {
    case fixed(Int)
    /// Half of the sizes are below the median, and two thirds are between median / factor and median × factor.
    case lognormal(median: Int, factor: Double)
    case uniform(ClosedRange<Int>)
    /// The sizes of a recorded run in their order, and again from the first. Not empty.
    case recorded([Int])

    public static let greatest = 16 << 20

    /// Returns the size of a message in bytes, from `least` to ``greatest``.
    ///
    /// - Parameter number: the number of the message, from 1.
    public func size(of number: UInt64, seed: UInt64, least: Int) -> Int {
        // The states of a generator follow one another at even distances. With such seeds, the random numbers of
        // neighbouring messages would overlap.
        var random = SeededGenerator(seed: seed ^ (number &* 0xd134_2543_de82_ef95))
        let size =
            switch self {
            case .fixed(let bytes): bytes
            case .lognormal(let median, let factor):
                Int(min(Double(median) * exp(log(factor) * random.normal()), Double(Self.greatest)))
            case .uniform(let range): range.lowerBound + Int(random.next() % UInt64(range.count))
            case .recorded(let sizes): sizes[Int((number &- 1) % UInt64(sizes.count))]
            }
        return min(max(size, least), Self.greatest)
    }

    /// A size that few messages exceed, by which the memory of a queue is limited.
    var usual: Int {
        switch self {
        case .fixed(let size): size
        case .lognormal(let median, let factor): Int(min(Double(median) * factor * factor, Double(Self.greatest)))
        case .uniform(let range): range.upperBound
        case .recorded(let sizes): sizes.max() ?? 0
        }
    }
}
