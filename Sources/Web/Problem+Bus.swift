// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkProtocol

extension Problem {
    /// Runs a request of the bus, and tells its error as a problem.
    ///
    /// The request names no position of its own. If it is refused for one, then the client named that of its last write,
    /// somebody has put an older copy of the database back since, and the client has forgotten the position now. Nothing
    /// was done, and whoever asks over HTTP knows nothing of that position: so the request is sent once more.
    static func of<Answer>(
        _ body: () async throws(ClientError) -> Answer
    ) async throws(Problem) -> Answer {
        do throws(ClientError) { return try await body() } catch {
            guard case .refused(let refusal) = error, [.futureRevision, .epochChanged].contains(refusal.code) else {
                throw Problem(error)
            }
        }
        do { return try await body() } catch { throw Problem(error) }
    }
}
