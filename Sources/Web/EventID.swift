// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The id of an event: `EPOCH-RUN-REV`. A browser sends the last one back, and the stream continues right after it.
///
/// The run lets storage notice that an older copy of its database was put back: see ``Position/run``. An id without it
/// (`EPOCH-REV`) is accepted too.
struct EventID: LosslessStringConvertible {
    private static let uuidLength = 36

    let position: Position

    init(_ position: Position) { self.position = position }

    init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-"), let rev = UInt64(text[text.index(after: hyphen)...]),
            let epoch = UUIDv7(String(text.prefix(Self.uuidLength)))
        else { return nil }
        let rest = text[..<hyphen].dropFirst(Self.uuidLength)
        guard !rest.isEmpty else {
            position = Position(epoch: epoch, rev: rev)
            return
        }
        guard rest.first == "-", let run = UUIDv7(String(rest.dropFirst())) else { return nil }
        position = Position(epoch: epoch, rev: rev, run: run)
    }

    var description: String { "\(position.epoch)-\(position.run.map { "\($0)-" } ?? "")\(position.rev)" }
}
