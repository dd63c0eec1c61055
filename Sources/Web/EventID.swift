// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The id of an event: `EPOCH-RUN-REV`. When a browser reconnects, it sends the last id, and the stream continues right
/// after this event.
///
/// The run allows storage to notice that an older copy of its database was restored: see ``Position/run``. An id
/// without a run (`EPOCH-REV`) is accepted, too.
extension Position {
    private static let uuidLength = 36

    init?(eventID text: String) {
        guard let hyphen = text.lastIndex(of: "-"), let rev = UInt64(text[text.index(after: hyphen)...]),
            let epoch = UUIDv7(String(text.prefix(Self.uuidLength)))
        else { return nil }
        let rest = text[..<hyphen].dropFirst(Self.uuidLength)
        guard !rest.isEmpty else {
            self.init(epoch: epoch, rev: rev)
            return
        }
        guard rest.first == "-", let run = UUIDv7(String(rest.dropFirst())) else { return nil }
        self.init(epoch: epoch, rev: rev, run: run)
    }

    var eventID: String { "\(epoch)-\(run.map { "\($0)-" } ?? "")\(rev)" }
}
