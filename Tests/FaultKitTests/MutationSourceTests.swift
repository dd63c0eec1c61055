// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestTurns
import Testing

/// A change of the code could disarm a mutation silently: each edit must still find its text.
@Suite("The mutations' edits", .inShortTurn)
struct MutationSourceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func source(_ file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    @Test("each edited file has the text of each of its edits exactly once", arguments: Mutation.files)
    func textsOccurOnce(file: String) throws {
        let mutated = try Mutation.mutated(Self.source(file), of: file)
        for edit in Mutation.all.flatMap(\.edits) where edit.file == file {
            #expect(mutated.contains(edit.replacement))
        }
    }

    @Test("the sources as they are hold no mutation", arguments: Mutation.files)
    func sourcesAreClean(file: String) throws {
        #expect(try !Self.source(file).contains("isMutated("))
    }

    @Test("each mutation asks for its own name, breaks a promise, and has edits")
    func namesAreTheirOwn() {
        #expect(Set(Mutation.all.map(\.name)).count == Mutation.all.count)
        for mutation in Mutation.all {
            #expect(!mutation.breaks.isEmpty && !mutation.edits.isEmpty)
            #expect(mutation.edits.contains { $0.replacement.contains("isMutated(\"\(mutation.name)\")") })
        }
    }

    @Test("each promise is broken by a mutation")
    func promisesAreCovered() {
        let broken = Mutation.all.reduce(into: Set<Promise>()) { $0.formUnion($1.breaks) }
        #expect(broken == Set(Promise.allCases))
    }

    @Test("each mutation is named in MutationTests")
    func allAreRun() throws {
        let tests = try Self.source("Tests/FaultTests/MutationTests.swift")
        for mutation in Mutation.all {
            let name = mutation.name.split(separator: "-").map(String.init).enumerated()
                .map { $0.offset == 0 ? $0.element : $0.element.capitalized }.joined()
            #expect(tests.contains(".\(name)"), "no test of \(mutation)")
        }
    }

    @Test("a text that is missing, that is there twice, or a file that is mutated already is refused")
    func wrongTextsAreRefused() throws {
        let edit = try #require(Mutation.half.edits.first)
        let once = try Mutation.mutated(edit.text, of: edit.file)
        #expect(once.contains(edit.replacement))
        for source in ["", edit.text + edit.text, once] {
            #expect(throws: FaultError.self) { try Mutation.mutated(source, of: edit.file) }
        }
    }

    @Test("a folder in which one edit cannot be made is left as it is")
    func allOrNothing() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "mutations-\(UUID())")
        defer { try? files.removeItem(at: folder) }
        for (place, file) in Mutation.files.enumerated() {
            let url = folder.appending(path: file)
            try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let text = place == Mutation.files.count - 1 ? "" : try Self.source(file)
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(throws: FaultError.self) { try Mutation.apply(in: folder) }
        for file in Mutation.files.dropLast() {
            #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == Self.source(file))
        }
        let last = try #require(Mutation.files.last)
        try Self.source(last).write(to: folder.appending(path: last), atomically: true, encoding: .utf8)
        try Mutation.apply(in: folder)
        for file in Mutation.files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(try text == Mutation.mutated(Self.source(file), of: file))
        }
    }
}
