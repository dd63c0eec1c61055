// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import Landmarks
import Settings
import WaymarkLoad

struct MixBench: WritingBench {
    static let configuration = CommandConfiguration(
        commandName: "mix",
        abstract: "Mix several operations, chosen by their weights in a YAML file.",
        discussion: """
            The file is a list of near, search, write and ingest. Each has a weight (default 1) and its options:

              - operation: near
                weight: 90
                radius: 5km
              - operation: search
                text: [opera, bondi pool]

              waymark bench mix daily.yaml --rate 2k --arrival poisson --assert 'p99<20ms,errors=0'

            The report has one line for the total and one for each operation. With write or ingest in the file: \
            \(BenchMark.explanation)
            """)

    @Argument(ValueForm<MixFile>(word: "file", read: { try MixFile(path: $0) }), "The YAML file.")
    var file: MixFile

    @Flag(help: "Check the full answers to near and search. Example: --check.")
    var check = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var measuring: MeasuringOptions
    @OptionGroup(title: "Service") var target: BenchTargetOptions

    var parameters: [String: String?] { ["operations": file.summary] }
    var isWriting: Bool { file.isWriting }

    func cases(_ service: BenchService) throws -> [BenchCase] {
        let positions = try file.positions(Surroundings.current.output(printing.format, printing.color))
        return [
            requests("mix", service) { [file, seed = load.seed, check, mark = service.mark?.name] in
                file.operations(seed: seed, isChecked: check, at: positions, mark: mark)
            }
        ]
    }
}

/// The file of `bench mix`: a list of weighted operations, each with options of the bench command of its name.
struct MixFile: Sendable {
    private static let tests: [any RequestBench.Type] = [
        NearBench.self, SearchBench.self, WriteBench.self, IngestBench.self,
    ]
    private static let mostBytes = 65_536
    private static let mostOperations = 64

    private var list: [(test: any RequestBench, weight: Double)] = []

    init(path: String) throws(BadValue) {
        let data = try BoundedFile.whole(path, upTo: Self.mostBytes)
        try self.init(String(decoding: data, as: UTF8.self), path: path)
    }

    init(_ text: String, path: String) throws(BadValue) {
        let root: YAMLNode?
        do throws(YAMLError) {
            root = try YAMLNode.read(text)
        } catch { throw Self.problem(path, error.line, "it is not valid YAML (\(error.problem))") }
        guard case .sequence(let entries) = root?.content, !entries.isEmpty, entries.count <= Self.mostOperations else {
            throw Self.problem(path, root?.line, "it must be a list of 1 to \(Self.mostOperations) operations")
        }
        for entry in entries { list.append(try Self.read(entry, path)) }
    }

    var summary: String { list.map { "\($0.test.summary) \($0.weight)" }.joined(separator: "; ") }
    var isWriting: Bool { list.contains { $0.test is any WritingBench } }

    /// Returns the coordinate of each location in the file. Looks up towns, and prints which ones were chosen.
    func positions(_ output: Output) throws -> [Location: Coordinate] {
        var positions: [Location: Coordinate] = [:]
        for around in Set(list.compactMap { $0.test.around }) { positions[around] = try around.coordinate(output) }
        return positions
    }

    /// Makes new operations for a run.
    ///
    /// - Parameters:
    ///   - positions: the result of ``positions(_:)``.
    ///   - mark: the name of a ``BenchMark``; nil if the test leaves nothing behind.
    func operations(
        seed: UInt64, isChecked: Bool = false, at positions: [Location: Coordinate], mark: String? = nil
    ) -> [WeightedOperation] {
        list.map { one in
            let place = one.test.around.flatMap { positions[$0] }
            return WeightedOperation(
                one.test.operation(at: place, mark: mark, seed: seed, isChecked: isChecked), weight: one.weight)
        }
    }

    private static func read(_ node: YAMLNode, _ path: String) throws(BadValue) -> (any RequestBench, Double) {
        guard case .mapping(let members) = node.content else {
            throw Self.problem(path, node.line, "each operation is a mapping, such as \"operation: near\"")
        }
        let name = members.first { $0.name == "operation" }?.value.text
        guard let test = tests.first(where: { $0.configuration.commandName == name }) else {
            throw Self.problem(path, node.line, "an operation is near, search, write or ingest")
        }
        var (weight, words): (Double, [String]) = (1, [])
        for member in members where member.name != "operation" {
            let line = member.value.line
            if member.name == "weight" {
                guard let text = member.value.text, let number = DecimalText.number(text), number > 0, number <= 1e9
                else { throw Self.problem(path, line, "weight: a weight is a number above 0") }
                weight = number
                continue
            }
            guard test.mixed.contains(member.name) else {
                throw Self.problem(path, line, "\(member.name): this operation has no such option")
            }
            words += try Self.words(member, path)
            // Parsed after each member, so that an error has the line of that member.
            _ = try parse(words, as: test, path, line)
        }
        return (try parse(words, as: test, path, node.line), weight)
    }

    /// Returns the words of an option. Only a text may be a list.
    private static func words(_ member: YAMLNode.Member, _ path: String) throws(BadValue) -> [String] {
        var nodes = [member.value]
        if member.name == "text", case .sequence(let list) = member.value.content { nodes = list }
        let texts = nodes.compactMap(\.text)
        guard texts.count == nodes.count else {
            throw Self.problem(path, member.value.line, "\(member.name): it must be a single value")
        }
        return texts.map { "--\(member.name)=\($0)" }
    }

    private static func parse(
        _ words: [String], as test: any RequestBench.Type, _ path: String, _ line: Int
    ) throws(BadValue) -> any RequestBench {
        do { return try test.parse(words) } catch { throw Self.problem(path, line, test.message(for: error)) }
    }

    private static func problem(_ path: String, _ line: Int?, _ reason: String) -> BadValue {
        let end = reason.hasSuffix(".") ? "" : "."
        return BadValue("\(path)\(line.map { ", line \($0)" } ?? "") cannot be used: \(reason)\(end)")
    }
}
