// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

enum ColourChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
}

/// Options for the format and colour of a command's output.
protocol PrintingOptions: ParsableArguments {
    var format: OutputFormat { get }
    var color: ColourChoice { get }
}

extension NameSpecification {
    /// The names of the option for the colour: both spellings of the word.
    static let color: NameSpecification = [.long, .customLong("colour", withSingleDash: false)]
}

extension ArgumentHelp {
    static let output: ArgumentHelp = "How to print: text for people, json for programs (one object per line)."
    static let timeout = "How long to wait for the answer, with ms, s, m or h. (default: 5s)"
    static let fence = "Only what this fence selects, in place of an area; the other options narrow it."
    static let color: ArgumentHelp =
        "Colour: auto (on a terminal, unless NO_COLOR is set or TERM is dumb), always or never."
}

/// The output options of most commands.
struct OutputOptions: PrintingOptions {
    @Option(name: [.short, .long], help: .output) var output = OutputFormat.text

    @Option(name: .color, help: .color) var color = ColourChoice.auto

    var format: OutputFormat { output }
}

/// The output options of commands that find landmarks.
struct HitOutputOptions: PrintingOptions {
    @Option(
        name: [.short, .long],
        help: """
            How to print: text for people, json for programs (one object per line), or as one document: geojson, kml, \
            gpx (waypoints) or csv.
            """)
    var output = HitForm.text

    @Option(name: .color, help: .color) var color = ColourChoice.auto
    @OptionGroup var units: UnitOptions

    var format: OutputFormat { output == .text ? .text : .json }

    func printer(_ output: Output, isMeasured: Bool) throws(Failure) -> HitPrinter {
        HitPrinter(output, as: self.output, isMeasured: isMeasured, unit: try units.unit())
    }
}

extension HitForm: ExpressibleByArgument {}

/// Options for the service's endpoint, the user, and the time limit of one answer.
protocol ServiceOptions: ParsableArguments {
    var target: TargetOptions { get }
    /// The time limit of one answer; nil for the protocol's default.
    var requestTimeout: Duration? { get }
    /// The reaction if nothing listens at the endpoint: a command that asks once fails at once; a command that keeps
    /// running waits until services are started.
    var whenRefused: WhenRefused { get }
    /// The endpoint of the feed; nil for the endpoint that the service tells.
    var feed: String? { get }
}

/// Options for the service's endpoint, and the user.
struct TargetOptions: ParsableArguments {
    @Option(
        .endpoints,
        "The query service's endpoint: tcp://HOST:PORT or ipc://PATH; or several with commas: the first that serves "
            + "is used. (WAYMARK_CONNECT; default: \(WaymarkProtocol.defaultQueryEndpoint))")
    var connect: String?

    @Option(
        .text("name"), name: .customLong("as"),
        "The user for this one call. (WAYMARK_USER; default: the name of \"waymark user set\")")
    var user: String?
}

/// Connection options of commands that ask once.
struct ConnectionOptions: ServiceOptions {
    @OptionGroup var target: TargetOptions

    @Option(.time, ArgumentHelp.timeout) var timeout: Duration?

    var requestTimeout: Duration? { timeout }
}

/// Options of commands that ask once and print the answer as text or JSON. The options of both kinds are written out
/// here, because each group within a group makes a debug build parse three times as long.
struct AskOptions: ServiceOptions, PrintingOptions {
    @Option(name: [.short, .long], help: .output) var output = OutputFormat.text
    @Option(name: .color, help: .color) var color = ColourChoice.auto
    @OptionGroup var target: TargetOptions
    @Option(.time, ArgumentHelp.timeout) var timeout: Duration?

    var format: OutputFormat { output }
    var requestTimeout: Duration? { timeout }
}

/// Connection options of commands that keep running. The time limit applies to the whole run.
struct LiveOptions: ServiceOptions {
    @OptionGroup var target: TargetOptions

    @Option(
        .endpoint,
        "The endpoint of the changes, if the one that the service names cannot be reached from here: tcp://HOST:PORT "
            + "or ipc://PATH. (WAYMARK_FEED; default: as the service says)")
    var feed: String?

    @Option(.time, "End after this time in all, with ms, s, m or h. (default: none)")
    var timeout: Duration?

    var requestTimeout: Duration? {
        timeout.map { min($0, .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)) }
    }
    var whenRefused: WhenRefused { .tryAgain }
}
