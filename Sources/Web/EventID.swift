// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The id of an event: `EPOCH-REV`. A browser sends the last one back, and the stream continues right after it.
struct EventID: LosslessStringConvertible {
    let epoch: UUIDv7
    let rev: UInt64

    init(_ position: Position) { (epoch, rev) = (position.epoch, position.rev) }

    init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-"), let epoch = UUIDv7(String(text[..<hyphen])),
            let rev = UInt64(text[text.index(after: hyphen)...])
        else { return nil }
        (self.epoch, self.rev) = (epoch, rev)
    }

    var position: Position { Position(epoch: epoch, rev: rev) }
    var description: String { "\(epoch)-\(rev)" }
}
