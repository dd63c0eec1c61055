// SPDX-License-Identifier: Apache-2.0

/// A landmark that others have changed since a user began to edit it.
package struct OvertakenEdit: Sendable {
    /// The landmark's present state.
    package var landmark: Landmark
    /// The JSON keys of the fields that have changed since that version; nil if the log no longer has the older state.
    package var changed: [String]?

    /// Compares a landmark with its state at an older version.
    package init(_ id: Landmark.ID, since version: UInt64, asking client: WaymarkClient) async throws(ClientError) {
        let found = try await client.show(id, history: 1_000)
        landmark = found.landmark
        // The first change after that version contains the older state, in `before`.
        guard let next = found.entries.last(where: { $0.version > version }), next.version - 1 == version,
            let before = await [next].changes(asking: client)[next.rev]?.before
        else { return }
        changed = landmark.fields(unlike: before)
    }

    /// Returns the fields that `edit` would set to other values than they have now, although others have changed them.
    /// If the log no longer has the older state, any field may have been changed by others.
    package func conflicts(with edit: LandmarkEdit) -> [String] {
        let mine = edit.applied(to: landmark).fields(unlike: landmark)
        guard let changed else { return mine }
        return mine.filter(changed.contains)
    }
}
