// SPDX-License-Identifier: Apache-2.0

/// Passwords that no message may show.
struct Secrets: Sendable, Hashable {
    private var all: [[UInt8]]

    init(_ texts: [String]) { all = texts.filter { !$0.isEmpty }.map { Array($0.utf8) } }

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ text: String) {
        let bytes = Array(text.utf8)
        if !bytes.isEmpty, !all.contains(bytes) { all.append(bytes) }
    }

    func hidden(in text: String) -> String {
        var bytes = Array(text.utf8)
        for secret in all { bytes.replace(secret, with: Array("***".utf8)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
