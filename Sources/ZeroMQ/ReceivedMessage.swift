// SPDX-License-Identifier: Apache-2.0

/// A received message, as a collection of its frames. May be kept, copied and passed to other tasks.
///
/// All frames take one allocation. Payloads are not copied: they stay where libzmq put them until the last copy of the
/// message and of its frames is gone. So a frame that is kept keeps the whole message.
public struct ReceivedMessage: RandomAccessCollection, Sendable {
    private let store: FrameStore

    public init(_ message: consuming Message) { store = FrameStore(message) }

    public var startIndex: Int { 0 }
    /// The number of frames.
    public var endIndex: Int { store.message.count }

    /// A frame of the message.
    ///
    /// - Precondition: `position` is below ``endIndex``.
    public subscript(position: Int) -> ReceivedFrame { ReceivedFrame(store, position) }

    /// A property of the peer that sent this message; see ``Message/property(_:)``.
    public func property(_ property: MessageProperty) -> String? { store.message.property(property) }
}

/// Keeps a message's frames at fixed addresses. Nothing changes the frames any more, so any thread may read them.
final class FrameStore: Sendable {
    let message: Message

    init(_ message: consuming Message) { self.message = message }
}

extension Message {
    /// Makes a message from a received message, to forward it. Short frames are copied, long frames shared.
    public init(_ received: ReceivedMessage) {
        self.init()
        for frame in received { append(frame) }
    }

    /// Appends a received frame. From ``handOverThreshold`` on its payload is not copied.
    public mutating func append(_ frame: ReceivedFrame) { append(message: frame.sendable()) }

    /// Appends a frame with this text in UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(copying: UnsafeRawBufferPointer($0)) }
    }
}
