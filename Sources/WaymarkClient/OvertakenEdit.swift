// SPDX-License-Identifier: Apache-2.0

/// A landmark that others have changed since somebody began to edit it.
package struct OvertakenEdit: Sendable {
    /// The landmark's present state.
    package var landmark: Landmark
    /// The JSON keys of the fields that have changed since then; nil if the log no longer has that state.
    package var changed: [String]?

    /// Compares a landmark with its state at an older version.
    package init(_ id: Landmark.ID, since version: UInt64, asking client: WaymarkClient) async throws(ClientError) {
        let found = try await client.show(id, history: 1_000)
        landmark = found.landmark
        // The first change after that version carries the landmark's older state.
        guard let next = found.entries.last(where: { $0.version > version }), next.version - 1 == version,
            let before = await [next].changes(asking: client)[next.rev]?.before
        else { return }
        changed = landmark.fields(unlike: before)
    }

    /// The fields that `edit` would set to a different value than others have set. If the log no longer has the older
    /// state, any field may have been changed.
    package func conflicts(with edit: LandmarkEdit) -> [String] {
        let mine = edit.applied(to: landmark).fields(unlike: landmark)
        guard let changed else { return mine }
        return mine.filter(changed.contains)
    }
}
