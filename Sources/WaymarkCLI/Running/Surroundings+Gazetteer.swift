// SPDX-License-Identifier: Apache-2.0

import Gazetteer

extension Surroundings {
    /// The gazetteer that WAYMARK_GAZETTEER names; otherwise the one inside the program.
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
    /// Prints the source of the places, as its licence asks. In JSON each object names it.
    func attributePlaces() {
        if format == .text { notice("attribution", Gazetteer.attribution) }
    }
}
