// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

extension Session {
    /// The maximum number of candidates that an error lists.
    private static let fewCandidates = 5

    /// Returns the id of the only landmark that the reference fits; otherwise throws an error that lists the
    /// candidates. Ids take precedence over names, so that nobody can redirect a command to another landmark by naming
    /// that landmark after an id.
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

    /// Searches for a landmark by its name, including landmarks that another command has just added.
    ///
    /// - Parameter owner: the user who must own the landmark; nil for any user.
    /// - Returns: the only landmark of this name; if several have it, the only one of the session's user; nil if none
    ///   has it. Also landmarks with other names that contain the words.
    /// - Throws: ``Failure`` if several landmarks remain.
    func search(
        named typed: String, by owner: String? = nil
    ) async throws -> (only: Landmark?, others: [Landmark]) {
        let name = try LandmarkRules.name(typed)
        let (page, isBehind) = try await client.freshSearch(
            name, near: nil, limit: WaymarkProtocol.pageRows, filter: LandmarkFilter(user: owner), timeout: timeout)
        // An outdated answer may lack a second landmark of the name, and the command might remove the wrong landmark.
        if isBehind {
            throw Failure(
                .timedOut, "search_behind",
                "The text search is behind the writes: give the landmark's id, or try again.")
        }
        let all = page.hits.map(\.landmark)
        let (named, others) = (all.filter { $0.name == name }, all.filter { $0.name != name })
        // Landmarks of sources have no user. A person who gave no name has no user either, and does not own these.
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
