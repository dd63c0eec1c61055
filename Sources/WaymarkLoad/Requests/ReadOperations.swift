// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// Queries the landmarks near a position.
public struct NearOperation: LoadOperation {
    public let name = "near"
    private let pool: RequestPool
    private let limit: Int
    private let radius: Double?
    private let isChecked: Bool

    /// - Parameters:
    ///   - radius: the radius in metres; nil for no limit.
    ///   - isChecked: whether to check each answer in full: the number of hits, their order and the radius. If false,
    ///     only the type of the answer is checked.
    public init(limit: Int, radius: Double?, around: Coordinate?, seed: UInt64, isChecked: Bool = false) {
        (self.limit, self.radius, self.isChecked) = (limit, radius, isChecked)
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        pool = RequestPool {
            let position = world.position()
            return .with {
                $0.near.lat = position.latitude
                $0.near.lng = position.longitude
                $0.near.limit = UInt32(limit)
                if let radius { $0.near.radiusM = radius }
            }
        }
    }

    public func append(_ number: UInt64, to body: inout [UInt8]) { pool.append(number, to: &body) }

    public func fault(_ reply: ReplyReader) -> String? {
        let isRight =
            isChecked
            ? reply.areHits(atMost: limit, within: radius ?? .infinity, areMeasured: true) : reply.result == .hits
        return isRight ? nil : ReplyReader.unreadable
    }
}

/// Searches for words in names and notes.
public struct SearchOperation: LoadOperation {
    public let name = "search"
    private let pool: RequestPool
    private let limit: Int
    private let isChecked: Bool

    /// - Parameters:
    ///   - texts: the texts from which each search chooses one; if empty, searches use words of generated names.
    ///   - isChecked: whether to count the hits of each answer. If false, only the type of the answer is checked.
    public init(texts: [String], limit: Int, seed: UInt64, isChecked: Bool = false) {
        (self.limit, self.isChecked) = (limit, isChecked)
        var world = LoadWorld(seed: seed, stream: 2)
        pool = RequestPool {
            let text =
                texts.isEmpty ? "\(world.pick(LoadName.adjectives)) \(world.pick(LoadName.nouns))" : world.pick(texts)
            return .with {
                $0.search.text = text
                $0.search.limit = UInt32(limit)
            }
        }
    }

    public func append(_ number: UInt64, to body: inout [UInt8]) { pool.append(number, to: &body) }

    public func fault(_ reply: ReplyReader) -> String? {
        let isRight = isChecked ? reply.areHits(atMost: limit, areMeasured: false) : reply.result == .hits
        return isRight ? nil : ReplyReader.unreadable
    }
}
