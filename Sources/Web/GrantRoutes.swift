// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import HTTPTypes
internal import WaymarkClient

/// The routes that phones' keys and links have in common.
enum GrantRoutes {
    /// A key or a link that is made again has another secret, so such a request is never a repeat.
    static let author = [WriteRoutes.author[0]]

    /// Makes the route that ends one of the caller's grants at once.
    ///
    /// - Parameter missing: the sentence for a fingerprint that none of them has.
    static func end(_ kind: Grant.Kind, at path: String, _ summary: String, missing: String) -> WebRoute {
        WebRoute(
            method: .delete, template: path + "/{fingerprint}", summary: summary, parameters: author, answers: [],
            success: .noContent
        ) { context, request in
            let (grants, wanted) = (try context.acting(request, repeats: false).grants, request.path["fingerprint"])
            let all = try await Problem.of { try await grants.all(kind) }
            let grant = try all.first { "\(Fingerprint($0.digest))" == wanted }
                .or(Problem(.notFound, "not_found", missing))
            try await Problem.of { try await grants.end(grant.digest) }
            return WebAnswer()
        }
    }
}
