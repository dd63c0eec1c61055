// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkJSON

struct LastCommand: LocalCommand {
    static let configuration = CommandConfiguration(
        leaf: "last",
        abstract: "Print the last result of near, list or search again, without a service.",
        discussion: """
            The last result is kept in waymark/last in the state folder (XDG_STATE_HOME, otherwise ~/.local/state), up to \
            \(KeptResult.mostHits) landmarks of it. A notice says when it was found.

              waymark last
              waymark last -o geojson > last.geojson
            """)

    @OptionGroup var printing: HitOutputOptions

    func run(_ output: Output, _ surroundings: Surroundings) throws {
        let kept = try KeptResult.read(surroundings.environment)
            .or(Failure("nothing_kept", "No result is kept yet: ask with near, list or search first."))
        var printer = try printing.printer(output, isMeasured: kept.isMeasured)
        try printer.print(kept.hits)
        try printer.finish(cursor: nil, showsCursor: false)
        output.notice("kept", "Found at \(Timestamp.local(kept.at)) by: waymark \(kept.question)") {
            $0.field("at", Timestamp.rfc3339(kept.at))
            $0.field("question", kept.question)
        }
    }
}
