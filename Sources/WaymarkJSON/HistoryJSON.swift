// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

extension JSONWriter {
    /// Writes the landmark's fields, then `history[{rev at op user version changed}] history_cut`.
    ///
    /// - Parameter changes: the changes that made the entries, by revision, as far as they are known.
    package mutating func fields(_ found: LandmarkHistory, _ changes: [UInt64: Change]) {
        fields(found.landmark)
        array("history", found.entries) { writer, entry in
            writer.object {
                $0.field("rev", entry.rev)
                $0.field("at", time: entry.at)
                $0.field("op", entry.operation.rawValue)
                $0.field("user", entry.user.nilIfEmpty)
                $0.field("version", entry.version)
                $0.array("changed", changes[entry.rev]?.changedFields)
            }
        }
        field("history_cut", found.isCut)
    }
}
