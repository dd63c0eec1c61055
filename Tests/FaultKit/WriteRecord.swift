// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A line of a writer's history: a request or its outcome.
public enum WriteRecord: Hashable, Sendable {
    /// A request, recorded before it is sent; `note` is the first note of an added landmark.
    case sent(sequence: UInt64, Change.Operation, marker: String, note: String?)
    case answered(sequence: UInt64, rev: UInt64, id: Landmark.ID)
    /// The request was certainly not done.
    case refused(sequence: UInt64, code: String)
    /// The request's outcome is unknown.
    case unanswered(sequence: UInt64)
}

extension WriteRecord {
    public var line: String {
        switch self {
        case .sent(let sequence, let operation, let marker, let note):
            "S \(sequence) \(operation.rawValue) \(marker)" + (note.map { " \($0)" } ?? "")
        case .answered(let sequence, let rev, let id): "A \(sequence) \(rev) \(id)"
        case .refused(let sequence, let code): "R \(sequence) \(code)"
        case .unanswered(let sequence): "T \(sequence)"
        }
    }

    /// Markers and notes must be single words.
    static func read(_ line: Line) -> WriteRecord? {
        guard let sequence = line.number(1) else { return nil }
        switch line.kind {
        case UInt8(ascii: "S"):
            let note = line.text(4)
            return Change.Operation(rawValue: line.text(2)).map {
                .sent(sequence: sequence, $0, marker: line.text(3), note: note.isEmpty ? nil : note)
            }
        case UInt8(ascii: "A"):
            guard let rev = line.number(2), let id = UUIDv7(line.text(3)) else { return nil }
            return .answered(sequence: sequence, rev: rev, id: id)
        case UInt8(ascii: "R"): return .refused(sequence: sequence, code: line.text(2))
        case UInt8(ascii: "T"): return .unanswered(sequence: sequence)
        default: return nil
        }
    }
}
