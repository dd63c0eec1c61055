// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Settings
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

/// The last result of `near`, `list` or `search`, kept for times without a network in `waymark/last` in the XDG state
/// folder. The file has a line of JSON with time and question, then the landmarks as a `Hits` message of the protocol.
struct KeptResult {
    /// The time of the answer in Unix milliseconds.
    var at: UInt64
    /// The arguments of the command.
    var question: String
    /// Whether the hits have a distance and a bearing.
    var isMeasured: Bool
    var hits: [Hit]

    /// The maximum number of hits that are kept. A result of 1,000 landmarks takes about 200 KiB.
    static let mostHits = 1_000
    /// The maximum size of the file in bytes: 1,000 landmarks with all their notes and distances.
    private static let mostBytes = 1_000 * (130 << 10)

    /// The path of the file; nil if neither `XDG_STATE_HOME` nor `HOME` names a folder.
    static func path(_ environment: [String: String]) -> String? {
        UserFolder.path("XDG_STATE_HOME", else: ".local/state", environment).map { $0 + "/waymark/last" }
    }

    /// - Returns: the result; nil if no result is kept or the file is damaged. A damaged file is no error, because it
    ///   is only a copy of what a service has.
    static func read(_ environment: [String: String]) -> KeptResult? {
        guard let path = path(environment), let data = BoundedFile.read(path, upTo: mostBytes), data.count <= mostBytes,
            case let file = [UInt8](data), let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONReader.read(Array(file[..<end])), let at = head["at"]?.text.flatMap({ UInt64($0) }),
            case .string(let question)? = head["question"], case .bool(let isMeasured)? = head["measured"],
            let wire = try? WireRawHits(serializedBytes: Array(file[(end + 1)...]))
        else { return nil }
        return KeptResult(
            at: at, question: question, isMeasured: isMeasured, hits: wire.hits.compactMap { try? Hit($0) })
    }

    /// Replaces the kept result. If that fails, the older result stays, and the command still succeeds because it has
    /// already printed its answer.
    func write(_ environment: [String: String]) {
        guard let path = Self.path(environment) else { return }
        let head = JSONWriter.line {
            $0.field("at", at)
            $0.field("question", question)
            $0.field("measured", isMeasured)
        }
        let wire = WireRawHits.with {
            $0.hits = hits.prefix(Self.mostHits).map { hit in
                .with {
                    $0.landmark = Data(hit.landmark.encoded)
                    if let distance = hit.distance { $0.distanceM = distance }
                    if let bearing = hit.bearing { $0.bearingDeg = bearing }
                }
            }
        }
        try? UserFolder.make(PathText.folder(of: path))
        try? SecretFile.write(head + wire.encoded, path, replacing: true, isDurable: false)
    }
}
