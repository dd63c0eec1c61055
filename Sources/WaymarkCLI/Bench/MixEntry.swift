// SPDX-License-Identifier: Apache-2.0

import Settings
import WaymarkProtocol

/// The YAML members of one operation in a mix file. Each member can be taken once.
struct MixEntry {
    private var members: [String: YAMLNode] = [:]
    private let path: String

    init(_ members: [YAMLNode.Member], _ path: String) {
        self.path = path
        for member in members { self.members[member.name] = member.value }
    }

    /// Removes a member and reads its value; nil if the member does not exist.
    mutating func take<Value>(_ name: String, _ read: (String) throws -> Value) throws(MixFileError) -> Value? {
        guard let node = members.removeValue(forKey: name) else { return nil }
        guard let text = node.text else { throw refusal(name, node, "it must be a single value") }
        do {
            return try read(text)
        } catch {
            throw refusal(name, node, "\(error)")
        }
    }

    mutating func count(_ name: String, upTo most: Int) throws(MixFileError) -> Int? {
        try take(name) { text in
            let count = try Values.count(text)
            guard count <= most else { throw BadValue("it is at most \(most)") }
            return count
        }
    }

    /// Removes a member whose value is one text or a list of texts.
    mutating func texts(_ name: String) throws(MixFileError) -> [String] {
        guard let node = members.removeValue(forKey: name) else { return [] }
        let texts =
            if case .sequence(let nodes) = node.content { nodes.map { $0.text ?? "" } } else { [node.text ?? ""] }
        guard texts.allSatisfy({ !$0.isEmpty && $0.count <= WaymarkProtocol.searchCharacters }) else {
            throw refusal(name, node, "a text has 1 to \(WaymarkProtocol.searchCharacters) characters")
        }
        return texts
    }

    /// - Throws: an error if a member is left that was not taken.
    func finish() throws(MixFileError) {
        guard let (name, node) = members.min(by: { $0.key < $1.key }) else { return }
        throw refusal(name, node, "this operation has no such option")
    }

    private func refusal(_ name: String, _ node: YAMLNode, _ reason: String) -> MixFileError {
        let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return MixFileError(path, node.line, "\(name): \(sentence)")
    }
}

/// The reason why a mix file cannot be used, in one sentence.
struct MixFileError: Error, CustomStringConvertible {
    let description: String

    init(_ path: String, _ line: Int?, _ reason: String) {
        description = "\(path)\(line.map { ", line \($0)" } ?? "") cannot be used: \(reason)."
    }
}
