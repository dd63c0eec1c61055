// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks

/// The receiver of hooks in `receiver.py`, as a process that can be killed and started again, and what it noted.
final class HookReceiver {
    /// A message that came, and how it was answered: 0 for not at all.
    struct Note: Decodable {
        struct Event: Decodable, Equatable {
            let id: String
            let type: String
            let subject: String
            let time: String

            var rev: UInt64 { id.split(separator: "-").last.flatMap { UInt64($0) } ?? 0 }
        }

        private enum CodingKeys: CodingKey { case path, message, signed, answer, at, type, body }

        let path: String
        let message: String
        let isSigned: Bool
        let answer: Int
        /// Seconds since 1970.
        let at: Double
        let type: String
        let events: [Event]

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            path = try fields.decode(String.self, forKey: .path)
            message = try fields.decode(String.self, forKey: .message)
            isSigned = try fields.decode(Bool.self, forKey: .signed)
            answer = try fields.decode(Int.self, forKey: .answer)
            at = try fields.decode(Double.self, forKey: .at)
            type = try fields.decode(String.self, forKey: .type)
            let isBatch = type.hasPrefix("application/cloudevents-batch+json")
            events =
                try isBatch
                ? fields.decode([Event].self, forKey: .body) : [fields.decode(Event.self, forKey: .body)]
        }

        var isAccepted: Bool { answer == 204 }
    }

    static let python = "/usr/bin/python3"
    /// Settings of query services, so that the receiver may be on this machine and nothing takes hours.
    static let flags = [
        "--hooks-allow", "127.0.0.0/8", "--hooks-timeout", "2s", "--hooks-retry-most", "2s",
    ]

    private let directory: String
    private let port: UInt16
    private let secret: String
    private var program: Program?
    private var offset: UInt64 = 0
    private var all: [String: [Note]] = [:]
    /// The revisions that were accepted at each path.
    private var accepted: [String: Set<UInt64>] = [:]

    /// The file with the secret for `hook add`.
    var secretFile: String { "\(directory)/secret" }

    init(in directory: String) throws {
        self.directory = directory
        port = try Ports.free()
        secret = "whsec_" + Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        try Data("\(secret)\n".utf8).write(to: URL(filePath: secretFile))
        chmod(secretFile, 0o600)
        try revive()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    func slay() {
        program?.slay()
        program = nil
    }

    /// Starts the receiver if it does not run.
    func revive() throws {
        guard program == nil else { return }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "receiver.py").path
        program = try Program(
            Self.python, [script, "\(port)", "\(directory)/notes", secret], directory: directory,
            log: "\(directory)/receiver.log")
    }

    /// What has come at a path so far, in the order of its coming.
    func notes(_ path: String) throws -> [Note] {
        if let file = FileHandle(forReadingAtPath: "\(directory)/notes") {
            defer { try? file.close() }
            try file.seek(toOffset: offset)
            let bytes = try file.readToEnd() ?? Data()
            let whole = bytes.prefix((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex - 1) + 1)
            offset += UInt64(whole.count)
            for line in whole.split(separator: UInt8(ascii: "\n")) {
                let note = try JSONDecoder().decode(Note.self, from: line)
                all[note.path, default: []].append(note)
                if note.isAccepted { accepted[note.path, default: []].formUnion(note.events.map(\.rev)) }
            }
        }
        return all["/" + path] ?? []
    }

    /// Whether a change was accepted at a path.
    func has(_ rev: UInt64, _ path: String) throws -> Bool {
        _ = try notes(path)
        return accepted["/" + path]?.contains(rev) == true
    }

    /// Compares what came at a path with the log.
    ///
    /// - Parameter isBatch: whether the hook sends arrays.
    /// - Returns: how many events came once more, and a sentence for each thing that is wrong.
    func check(
        _ path: String, _ filter: FilterSpec, isBatch: Bool, _ truth: Truth, after rev: UInt64
    ) throws -> (repeats: Int, problems: [String]) {
        let notes = try notes(path)
        var problems: [String] = []
        for note in notes {
            if !note.isSigned { problems.append("\(note.message) has a wrong signature") }
            let revs = note.events.map(\.rev)
            let ends = isBatch ? [revs.first, revs.last] : [revs.first]
            let message = ([truth.epoch.description] + ends.map { "\($0 ?? 0)" }).joined(separator: "-")
            if note.message != message { problems.append("\(note.message) should be \(message)") }
        }
        let expected = truth.log.filter { $0.rev > rev }.compactMap { entry in
            filter.operation(of: entry).map {
                "\(truth.epoch)-\(entry.rev) waymark.landmark.\($0.rawValue) \(entry.id)"
            }
        }
        let (firsts, repeats) = Self.firsts(notes, &problems)
        let accepted = Self.firsts(notes.filter(\.isAccepted), &problems).firsts
        for (what, told) in [("received", firsts), ("accepted", accepted)] where told != expected {
            let pairs = zip(told, expected).enumerated()
            let place = pairs.first { $0.element.0 != $0.element.1 }?.offset ?? min(told.count, expected.count)
            let (came, due) = (told.dropFirst(place).first, expected.dropFirst(place).first)
            problems.append("\(what) as number \(place): \(came ?? "nothing") instead of \(due ?? "nothing")")
        }
        return (repeats, problems)
    }

    /// The events at their first coming, and how many came once more.
    private static func firsts(_ notes: [Note], _ problems: inout [String]) -> (firsts: [String], repeats: Int) {
        var seen: [String: Note.Event] = [:]
        var firsts: [String] = []
        var repeats = 0
        for event in notes.flatMap(\.events) {
            if let first = seen.updateValue(event, forKey: event.id) {
                repeats += 1
                if first != event { problems.append("\(event.id) came again as another event") }
            } else {
                firsts.append("\(event.id) \(event.type) \(event.subject)")
            }
        }
        return (firsts, repeats)
    }
}

extension Scene {
    /// The output of the command line tool.
    ///
    /// - Parameter query: the query service that it asks; nil for a command that asks none.
    @discardableResult
    func waymark(_ words: [String], query: Int? = 0) throws -> String {
        var environment = Program.plain
        for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] { environment[name] = cluster.directory }
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        let asking = query.map { ["--connect", cluster.endpoint($0), "--as", "tester"] } ?? []
        let ended = try Program.run(["\(cluster.products)/waymark"] + words + asking, environment: environment)
        guard ended.status == 0 else { throw FaultError("\(words) ended with \(ended.status ?? -1): \(ended.text)") }
        return ended.text
    }
}
