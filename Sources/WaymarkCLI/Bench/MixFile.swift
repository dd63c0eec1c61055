// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import Settings
import WaymarkLoad
import WaymarkProtocol

/// The file of `bench mix`: a list of weighted operations.
struct MixFile: Sendable {
    private enum Operation: Sendable {
        case near(limit: Int, radius: Double?, around: Location?)
        case search(texts: [String], limit: Int)
        case write(around: Location?)
        case ingest(rows: Int, around: Location?)

        var around: Location? {
            switch self {
            case .near(_, _, let around), .write(let around), .ingest(_, let around): around
            case .search: nil
            }
        }

        var isWriting: Bool {
            switch self {
            case .near, .search: false
            case .write, .ingest: true
            }
        }
    }

    private static let mostBytes = 65_536
    private static let mostOperations = 64

    private var list: [(operation: Operation, weight: Double)] = []

    init(path: String) throws(MixFileError) {
        guard let data = BoundedFile.read(path, upTo: Self.mostBytes) else {
            throw MixFileError(path, nil, "it cannot be read")
        }
        guard data.count <= Self.mostBytes else { throw MixFileError(path, nil, "it has more than 64 KiB") }
        try self.init(String(decoding: data, as: UTF8.self), path: path)
    }

    init(_ text: String, path: String) throws(MixFileError) {
        let root: YAMLNode?
        do throws(YAMLError) {
            root = try YAMLNode.read(text)
        } catch {
            throw MixFileError(path, error.line, "it is not valid YAML (\(error.problem))")
        }
        guard case .sequence(let entries) = root?.content, !entries.isEmpty, entries.count <= Self.mostOperations else {
            throw MixFileError(path, root?.line, "it must be a list of 1 to \(Self.mostOperations) operations")
        }
        for entry in entries { list.append(try Self.read(entry, path)) }
    }

    /// The operations with their weights, in one line.
    var summary: String { list.map { "\($0.operation) \($0.weight)" }.joined(separator: "; ") }

    var isWriting: Bool { list.contains { $0.operation.isWriting } }

    /// Returns the coordinate of each location in the file. Looks up towns, and prints which ones were chosen.
    func positions(_ output: Output) throws -> [Location: Coordinate] {
        var positions: [Location: Coordinate] = [:]
        for around in Set(list.compactMap(\.operation.around)) { positions[around] = try around.coordinate(output) }
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
            let around = one.operation.around.flatMap { positions[$0] }
            let operation: any LoadOperation =
                switch one.operation {
                case .near(let limit, let radius, _):
                    NearOperation(limit: limit, radius: radius, around: around, seed: seed, isChecked: isChecked)
                case .search(let texts, let limit):
                    SearchOperation(texts: texts, limit: limit, seed: seed, isChecked: isChecked)
                case .write: WriteOperation(around: around, seed: seed, run: LoadName.word(), kind: mark)
                case .ingest(let rows, _):
                    IngestOperation(
                        source: mark ?? "bench", rows: rows, around: around, seed: seed, run: LoadName.word() + "-")
                }
            return WeightedOperation(operation, weight: one.weight)
        }
    }

    private static func read(_ node: YAMLNode, _ path: String) throws(MixFileError) -> (Operation, Double) {
        guard case .mapping(let members) = node.content else {
            throw MixFileError(path, node.line, "each operation is a mapping, such as \"operation: near\"")
        }
        var entry = MixEntry(members, path)
        let name = try entry.take("operation") { $0 } ?? ""
        let weight = try entry.take("weight") { text in
            guard let weight = DecimalText.number(text), weight > 0, weight <= 1e9 else {
                throw BadValue("a weight is a number above 0")
            }
            return weight
        }
        let operation: Operation
        switch name {
        case "near":
            operation = .near(
                limit: try entry.count("limit", upTo: WaymarkProtocol.pageRows) ?? 20,
                radius: try entry.take("radius", Values.distance), around: try entry.take("around", Values.location))
        case "search":
            operation = .search(
                texts: try entry.texts("text"), limit: try entry.count("limit", upTo: WaymarkProtocol.pageRows) ?? 20)
        case "write": operation = .write(around: try entry.take("around", Values.location))
        case "ingest":
            operation = .ingest(
                rows: try entry.count("rows", upTo: WaymarkProtocol.ingestRows) ?? 100,
                around: try entry.take("around", Values.location))
        default:
            throw MixFileError(path, node.line, "an operation is near, search, write or ingest")
        }
        try entry.finish()
        return (operation, weight ?? 1)
    }
}
