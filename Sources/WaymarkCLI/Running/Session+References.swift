// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

extension Session {
    /// The most candidates that an error lists.
    private static let fewCandidates = 5

    /// The id of the only landmark that the reference fits; otherwise an error that lists the candidates. Ids take
    /// precedence over names, so that nobody can put a landmark in the place of another one by naming it after the
    /// other's id.
    func id(_ reference: LandmarkReference) async throws -> Landmark.ID {
        switch reference {
        case .whole(let id): return id
        case .name(let name):
            let found = try await search(named: name)
            if let only = found.only { return only.id }
            let shown = Escaping.visible(String(name.prefix(80)))
            let others = found.others.isEmpty ? "" : " Landmarks with these words:"
            throw Self.failure(
                ErrorCode.notFound.name, "No landmark is called \"\(shown)\": give its id.\(others)", found.others)
        case .beginning(let beginning, let typed):
            let found = try await client.landmarks(beginning, atMost: Self.fewCandidates + 1)
            if found.count == 1 { return found[0].id }
            guard found.isEmpty else {
                throw Self.failure("ambiguous", "Several ids begin with that: add more characters.", found)
            }
            if let only = try await search(named: typed).only { return only.id }
            throw Failure(
                ErrorCode.notFound.name,
                "No landmark's id begins with that, and no landmark is called so: copy an id from list or near.")
        }
    }

    /// Searches for the words of a name, including landmarks that another command added a moment ago.
    ///
    /// - Parameter owner: the user whose landmark it has to be; nil for anybody's.
    /// - Returns: the only landmark of this name, or the user's own among several, or nil; and landmarks of other names
    ///   that have the words.
    /// - Throws: ``Failure`` if there are several.
    func search(
        named typed: String, by owner: String? = nil
    ) async throws -> (only: Landmark?, others: [Landmark]) {
        let name = try LandmarkRules.name(typed)
        let (page, isBehind) = try await client.freshSearch(
            name, near: nil, limit: WaymarkProtocol.pageRows, filter: LandmarkFilter(user: owner), timeout: timeout)
        // An older answer may lack another landmark of the name, and the command might remove the wrong one.
        if isBehind {
            throw Failure(
                .timedOut, "search_behind",
                "The text search is behind the writes: give the landmark's id, or try again.")
        }
        let all = page.hits.map(\.landmark)
        let (named, others) = (all.filter { $0.name == name }, all.filter { $0.name != name })
        // Landmarks of sources have no user, and neither has a person who gave no name.
        let own = user.isEmpty ? [] : named.filter { $0.user == user }
        if own.count == 1 { return (own[0], others) }
        let shown = Escaping.visible(String(typed.prefix(80)))
        if named.count > 1 {
            throw Self.failure("ambiguous", "Several landmarks are called \"\(shown)\": give the id of one.", named)
        }
        if page.isTruncated || all.count >= WaymarkProtocol.pageRows {
            throw Self.failure(
                "ambiguous", "Too many landmarks have the words of \"\(shown)\": give the id of one.", named)
        }
        return (named.first, others)
    }

    private static func failure(_ code: String, _ sentence: String, _ candidates: [Landmark]) -> Failure {
        let lines = candidates.prefix(fewCandidates).map { landmark in
            "\(landmark.id)  \(Escaping.visible(landmark.name)) at \(Figures.position(landmark.coordinate)) "
                + "by \(Escaping.visible(landmark.owner))"
        }
        let more = candidates.count > fewCandidates ? ["…"] : []
        return Failure(code, ([sentence] + lines + more).joined(separator: "\n  "))
    }
}
