// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

/// When text is coloured.
enum ColourChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// How a command prints, whatever options it has for that.
protocol PrintingOptions: ParsableArguments {
    var format: OutputFormat { get }
    var color: ColourChoice { get }
}

/// How results are printed.
struct OutputOptions: PrintingOptions {
    @Option(name: [.short, .long], help: "How to print: text for people, json for programs (one object per line).")
    var output = OutputFormat.text

    @OptionGroup var colours: ColourOptions

    var format: OutputFormat { output }
    var color: ColourChoice { colours.color }
}

/// How landmarks are printed by commands that find them.
struct HitOutputOptions: PrintingOptions {
    @Option(
        name: [.short, .long],
        help: """
            How to print: text for people, json for programs (one object per line), or geojson (one FeatureCollection, \
            for maps).
            """)
    var output = HitForm.text

    @OptionGroup var colours: ColourOptions
    @OptionGroup var units: UnitOptions

    var format: OutputFormat { output == .text ? .text : .json }
    var color: ColourChoice { colours.color }
}

extension HitForm: ExpressibleByArgument {}

struct ColourOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("colour", withSingleDash: false)],
        help: "Colour: auto (on a terminal, unless NO_COLOR is set or TERM is dumb), always or never.")
    var color = ColourChoice.auto
}

/// Where the service is, as whom it is asked, and how long one answer may take.
protocol ServiceOptions: ParsableArguments {
    var target: TargetOptions { get }
    /// Nil: the usual time.
    var requestTimeout: Duration? { get }
    /// One question is told at once that nobody listens; whatever goes on waits for services that are just starting.
    var whenRefused: WaymarkClient.WhenRefused { get }
}

/// Where the service is, and as whom it is asked.
struct TargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The query service's endpoint: tcp://HOST:PORT or ipc://PATH. (WAYMARK_CONNECT; default: "
                + "\(WaymarkProtocol.defaultQueryEndpoint))", valueName: "endpoint"),
        transform: Values.endpoint)
    var connect: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The user for this one call. (WAYMARK_USER; default: the one of \"waymark user set\")", valueName: "name"))
    var user: String?
}

/// Of a command that asks one thing.
struct ConnectionOptions: ServiceOptions {
    @OptionGroup var target: TargetOptions

    @Option(
        help: ArgumentHelp("How long to wait for the answer, with ms, s, m or h. (default: 5s)", valueName: "time"),
        transform: Values.duration)
    var timeout: Duration?

    var requestTimeout: Duration? { timeout }
    var whenRefused: WaymarkClient.WhenRefused { .giveUp }
}

/// Of a command that goes on: its time is that of the whole.
struct LiveOptions: ServiceOptions {
    @OptionGroup var target: TargetOptions

    @Option(
        help: ArgumentHelp("End after this time in all, with ms, s, m or h. (default: none)", valueName: "time"),
        transform: Values.duration)
    var timeout: Duration?

    var requestTimeout: Duration? {
        timeout.map { min($0, .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)) }
    }
    var whenRefused: WaymarkClient.WhenRefused { .tryAgain }
}
