// SPDX-License-Identifier: Apache-2.0

/// A message that was received: a collection of its frames. May be kept, copied and handed to other tasks.
///
/// One allocation for all frames; no payload is copied, they stay where libzmq put them until the last copy of the message
/// and of its frames is gone. A frame that is kept so keeps the whole message.
public struct ReceivedMessage: RandomAccessCollection, Sendable {
    private let store: FrameStore

    /// Takes the message's frames over.
    public init(_ message: consuming Message) { store = FrameStore(message) }

    public var startIndex: Int { 0 }
    /// How many frames.
    public var endIndex: Int { store.message.count }

    /// A frame.
    ///
    /// - Precondition: the message has so many frames.
    public subscript(position: Int) -> ReceivedFrame { ReceivedFrame(store, position) }

    /// What libzmq knows of the peer that this message came from; see ``Message/property(_:)``.
    public func property(_ property: MessageProperty) -> String? { store.message.property(property) }
}

/// Keeps a message's frames in one place. Nothing changes them any more, so any thread may read them.
final class FrameStore: Sendable {
    let message: Message

    init(_ message: consuming Message) { self.message = message }
}

extension Message {
    /// A message with a received one's frames, to be sent on. Short frames are copied, of long ones only the reference is.
    public init(_ received: ReceivedMessage) {
        self.init()
        for frame in received { append(frame) }
    }

    /// Appends a received frame; from ``handOverThreshold`` on without copying its payload.
    public mutating func append(_ frame: ReceivedFrame) { append(message: frame.sendable()) }

    /// Appends a frame with this text in UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(copying: UnsafeRawBufferPointer($0)) }
    }
}
