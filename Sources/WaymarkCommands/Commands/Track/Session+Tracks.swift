// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

extension Session {
    /// The landmark that a person means by a name or an id: the only one with this name, or the user's own.
    ///
    /// - Throws: ``Failure`` when there is none, or several.
    func landmark(called text: String) async throws -> Landmark {
        if case .whole(let id)? = LandmarkReference(text) { return try await client.show(id, history: 1).landmark }
        let named = try await landmarks(named: text, by: nil)
        let own = named.filter { $0.user == user }
        if let only = own.count == 1 ? own.first : named.count == 1 ? named.first : nil { return only }
        if named.isEmpty, let reference = LandmarkReference(text) {
            return try await client.show(try await id(reference), history: 1).landmark
        }
        throw Self.unclear(text, named)
    }

    /// The user's landmark of this name; nil if there is none.
    ///
    /// - Throws: ``Failure`` when there are several.
    func ownLandmark(called name: String) async throws -> Landmark? {
        let named = try await landmarks(named: name, by: user)
        guard named.count > 1 else { return named.first }
        throw Self.unclear(name, named)
    }

    /// At the service's newest revision, so that what was added a moment ago by another command is among them.
    private func landmarks(named name: String, by user: String?) async throws -> [Landmark] {
        let name = try LandmarkRules.name(name)
        let page = try await client.search(
            name, limit: 1_000, filter: LandmarkFilter(user: user), atLeast: try await client.hello().position)
        return page.hits.map(\.landmark).filter { $0.name == name }
    }

    private static func unclear(_ name: String, _ named: [Landmark]) -> Failure {
        let shown = Escaping.visible(String(name.prefix(80)))
        guard !named.isEmpty else {
            return Failure(.failed, ErrorCode.notFound.name, "No landmark is called \"\(shown)\": give its id.")
        }
        let candidates = named.prefix(5).map { "\($0.id)  by \(Escaping.visible($0.user.isEmpty ? "-" : $0.user))" }
        return Failure(
            .failed, "ambiguous",
            (["Several landmarks are called \"\(shown)\": give the id of one."] + candidates
                + (named.count > 5 ? ["…"] : [])).joined(separator: "\n  "))
    }
}
