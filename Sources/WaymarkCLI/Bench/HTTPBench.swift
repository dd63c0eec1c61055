// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import LoadTest
import WaymarkLoad

struct HTTPBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http",
        abstract: "Measure the HTTP interface of the services.",
        discussion: """
            The connections are HTTP/1.1 in the clear. For https, and for services other than Waymark's, there are k6 \
            and oha.

              waymark bench http near --clients 64
              waymark bench http tail http://127.0.0.1:7480 --streams 1000 --rate 100
            """,
        subcommands: [HTTPNearBench.self, HTTPTailBench.self])
}

/// The HTTP interface to test, and the key for it.
struct BenchWebOptions: ParsableArguments {
    @Argument(
        ValueForm<HTTPOrigin>(word: "url", read: Values.origin),
        "The address of the HTTP interface. (default: http://\(HTTPOrigin.usual))")
    var url: HTTPOrigin?

    @Option(.file, "A file with a key that \"waymark keys new FILE --http\" has made. Example: --token report.token.")
    var token: String?

    func validate() throws {
        try refuse(
            if: token != nil && !(url ?? .usual).isLoopback,
            "A key must not cross a network in the clear: measure on the machine of the service.")
    }

    /// Reads the key, too.
    func origin() throws -> HTTPOrigin {
        var origin = url ?? .usual
        if let token {
            let text = String(decoding: try SecretFile.read(token).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            guard WebToken.digest(text) != nil else { throw KeyFileError.malformed(path: token) }
            origin.bearer = text
        }
        return origin
    }
}

/// A load test of the HTTP interface.
protocol WebBench: ServiceBench {
    var web: BenchWebOptions { get }
}

extension WebBench {
    func validateWeb() throws {
        try refuse(if: report.raw, "--raw measures plain libzmq, and this test has none: leave it out.")
        try refuse(
            if: target.embedded && (web.url != nil || web.token != nil),
            "--embedded starts its own services: leave the address and --token out.")
    }
}
