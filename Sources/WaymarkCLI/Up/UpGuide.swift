// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import QueryService
import WaymarkClient
import WaymarkProtocol

/// The messages that `up` prints for the person who started it.
enum UpGuide {
    static func say(_ line: String) {
        try? DescriptorSink(descriptor: STDOUT_FILENO).write(Array("\(line)\n".utf8))
    }

    /// Describes the result of fetching one source in one line.
    static func line(for news: IngestNews) -> String {
        let source = "Source \(news.source.name) (\(shortened("\(news.source.location)"))): "
        switch news.outcome {
        case .ingested(let report):
            let parts = SourceCounts(report.counts).named.filter { $0.name != "kept" }.map { "\($0.count) \($0.name)" }
            return source + parts.joined(separator: ", ") + "."
        case .notModified: return source + "not modified since it was last fetched."
        case .leftToOthers: return source + "fetched recently, so not now again."
        case .failed(let reason): return source + "failed. " + reason
        }
    }

    /// Prints the endpoint, and the commands to type next.
    ///
    /// - Parameters:
    ///   - map: the address of the map; nil if there is no map.
    ///   - needsAccounts: whether people have to sign in first.
    static func show(_ endpoint: String, map: String?, needsAccounts: Bool) {
        let program = invocation
        if let map { say("Map: \(map)") }
        say("Listening on \(endpoint). In another terminal:")
        if endpoint != WaymarkProtocol.defaultQueryEndpoint { say("  export WAYMARK_CONNECT=\(endpoint)") }
        if needsAccounts { say("  \(program) login YOUR-NAME") }
        say("  \(program) near -33.8568,151.2153")
        say("  \(program) tail")
        if !needsAccounts { say("  \(program) user set YOUR-NAME") }
        say("  \(program) add \"Opera House\" -33.8568,151.2153 --note \"Sails at sunset\"")
        say("Stop with Ctrl-C.")
    }

    /// The command line that calls this program again from the current folder.
    private static var invocation: String {
        let called = CommandLine.arguments.first ?? "waymark"
        guard called.contains("/") else { return called }
        let relative = shortened(called)
        guard !relative.hasPrefix("/") else { return called }
        // `swift run` calls the program in the folder of the platform. The path without that folder leads to the same
        // file through a link.
        let parts = relative.split(separator: "/")
        guard parts.count == 4, parts[0] == ".build" else {
            return relative.hasPrefix(".") ? relative : "./" + relative
        }
        return ".build/\(parts[2])/\(parts[3])"
    }

    private static func shortened(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
