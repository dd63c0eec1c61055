// SPDX-License-Identifier: Apache-2.0

import Gazetteer

extension Surroundings {
    /// Returns the gazetteer that WAYMARK_GAZETTEER names; otherwise the gazetteer that is compiled in.
    func gazetteer() throws(Failure) -> Gazetteer {
        do throws(GazetteerError) {
            guard let path = variable("WAYMARK_GAZETTEER") else { return try .embedded() }
            return try Gazetteer(path: path)
        } catch {
            throw Failure("gazetteer", "WAYMARK_GAZETTEER cannot be used: \(error)")
        }
    }
}

extension Output {
    /// Prints the attribution that the places' licence asks for. In JSON each object contains it instead.
    func attributePlaces() {
        if format == .text { notice("attribution", Gazetteer.attribution) }
    }
}
