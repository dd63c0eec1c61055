// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension JSONWriter {
    /// A kind of the table: its name, and what finds it.
    package mutating func fields(_ kind: KnownKind) {
        field("kind", kind.name)
        field("label", kind.label)
        key("synonyms")
        array(kind.synonyms) { $0.value($1) }
        key("tags")
        array(kind.tags) { $0.value($1) }
    }
}
