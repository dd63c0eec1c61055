// SPDX-License-Identifier: Apache-2.0

/// A landmark that others have changed since an edit of it was begun.
package struct OvertakenEdit: Sendable {
    /// As it is now.
    package var landmark: Landmark
    /// The JSON keys of the fields that are not as they were then; nil when the log no longer tells.
    package var changed: [String]?

    /// Compares a landmark with what it was at an older version of it.
    package init(_ id: Landmark.ID, since version: UInt64, asking client: WaymarkClient) async throws(ClientError) {
        let found = try await client.show(id, history: 1_000)
        landmark = found.landmark
        // The first change after that version has the landmark as it was.
        guard let next = found.entries.last(where: { $0.version > version }), next.version - 1 == version,
            let before = await [next].changes(asking: client)[next.rev]?.before
        else { return }
        changed = landmark.fields(unlike: before)
    }

    /// The fields that `edit` would set to another value than others have. Each may have been changed when the log no longer
    /// tells.
    package func conflicts(with edit: LandmarkEdit) -> [String] {
        let mine = edit.applied(to: landmark).fields(unlike: landmark)
        guard let changed else { return mine }
        return mine.filter(changed.contains)
    }
}
