// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Writes a known kind: its name, and the words by which it is found.
extension KnownKind: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("kind", name)
        writer.field("label", label)
        writer.array("synonyms", synonyms)
        writer.array("tags", tags)
    }
}
