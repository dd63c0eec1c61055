// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

/// Writes `id name user account url fence`, the fields of the filter, `ids ops batch state reason position delivered
/// failures last_success last_try error failing_since failed failed_bytes created`, and `secret` in the only answer that
/// has it.
extension Hook: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        writer.field("user", user.nilIfEmpty)
        if account > 0 { writer.field("account", account) }
        writer.field("url", url)
        writer.field("fence", fence.nilIfEmpty)
        writer.fields(filter)
        writer.array("ids", filter.ids.map(\.description).sorted())
        writer.array("ops", filter.operations.map(\.rawValue).sorted())
        writer.field("batch", UInt64(batch))
        writer.field("state", state.rawValue)
        writer.field("reason", reason.nilIfEmpty)
        writer.object("position", position)
        writer.field("delivered", delivered)
        writer.field("failures", failures)
        writer.field("last_success", text(lastSuccess))
        writer.field("last_try", text(lastTry))
        writer.field("error", error.nilIfEmpty)
        writer.field("failing_since", text(failingSince))
        writer.field("failed", UInt64(failed))
        writer.field("failed_bytes", failedBytes)
        writer.field("created", time: created)
        if let secret { writer.field("secret", secret) }
    }

    /// Returns the text of a time; nil for 0, which means never.
    private func text(_ time: UInt64) -> String? { time == 0 ? nil : Timestamp.rfc3339(time) }
}

/// Writes `number rev at reason due message batch body`. The body is a text, and null until it is made.
extension HookFailure: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("number", number)
        writer.field("rev", rev)
        writer.field("at", time: at)
        writer.field("reason", reason.nilIfEmpty)
        writer.field("due", isDue)
        writer.field("message", message.nilIfEmpty)
        writer.field("batch", isBatch)
        writer.field("body", body.isEmpty ? nil : String(decoding: body, as: UTF8.self))
    }
}
