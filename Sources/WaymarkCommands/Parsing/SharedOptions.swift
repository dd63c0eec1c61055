// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

/// When text is coloured.
enum ColourChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// How results are printed. For commands that ask no service.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "How to print: text for people, json for programs (one object per line).")
    var output = OutputFormat.text

    @Option(
        name: [.long, .customLong("colour", withSingleDash: false)],
        help: "Colour: auto (on a terminal, unless NO_COLOR is set or TERM is dumb), always or never.")
    var color = ColourChoice.auto
}

/// Where the service is, and as whom it is asked.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The query service's endpoint: tcp://HOST:PORT or ipc://PATH. (WAYMARK_CONNECT; default: "
                + "\(WaymarkProtocol.defaultQueryEndpoint))", valueName: "endpoint"),
        transform: Values.endpoint)
    var connect: String?

    @Option(
        help: ArgumentHelp("How long to wait for the answer, with ms, s, m or h. (default: 5s)", valueName: "time"),
        transform: Values.duration)
    var timeout: Duration?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The user for this one call. (WAYMARK_USER; default: the one of \"waymark user set\")", valueName: "name"))
    var user: String?
}
