// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkProtocol
package import ZeroMQ

/// Sessions of browsers. Only a service may ask for these.
extension WaymarkClient {
    /// Signs somebody in.
    ///
    /// - Parameters:
    ///   - session: the digest of the session's secret: it belongs to the account then.
    ///   - code: an invitation's; then the password becomes the account's.
    ///   - label: what the session is called in the list of keys.
    ///   - origin: the address of the browser.
    ///   - before: the session that the browser had before.
    package func beginSession(
        _ session: CurveKey, for name: String, password: [UInt8], code: String, label: String, origin: String,
        before: CurveKey? = nil
    ) async throws(ClientError) -> AccountState {
        let request = WireRequest.with {
            $0.signIn = .with {
                ($0.name, $0.password, $0.code, $0.label) = (name, Data(password), code, label)
                ($0.key, $0.kind, $0.before) = (Data(session.bytes), .session, Data(before?.bytes ?? []))
            }
        }
        return try await account(request, by: RequestAuthor(origin: origin)).state
    }

    package func endSession(_ session: CurveKey, by author: RequestAuthor) async throws(ClientError) {
        try await done(.with { $0.endKey = .with { $0.key = Data(session.bytes) } }, by: author)
    }

    package func setPassword(
        old: [UInt8], new: [UInt8], by author: RequestAuthor
    ) async throws(ClientError) {
        try await done(.with { $0.setPassword = .with { ($0.old, $0.new) = (Data(old), Data(new)) } }, by: author)
    }
}
