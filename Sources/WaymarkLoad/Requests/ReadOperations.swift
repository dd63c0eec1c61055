// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A query, whose requests are made before the run.
public struct ReadOperation: LoadOperation {
    public let name: String
    private let pool: RequestPool
    private let isRight: @Sendable (ReplyReader) -> Bool

    /// Makes queries of the landmarks near a position.
    ///
    /// - Parameters:
    ///   - radius: the radius in metres; nil for no limit.
    ///   - isChecked: whether to check each answer in full: the number of hits, their order and the radius. If false,
    ///     only the type of the answer is checked.
    public static func near(
        limit: Int, radius: Double?, around: Coordinate?, seed: UInt64, isChecked: Bool = false
    ) -> ReadOperation {
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        let pool = RequestPool {
            let position = world.position()
            return .with {
                $0.near.lat = position.latitude
                $0.near.lng = position.longitude
                $0.near.limit = UInt32(limit)
                if let radius { $0.near.radiusM = radius }
            }
        }
        return ReadOperation(name: "near", pool: pool) { reply in
            isChecked
                ? reply.areHits(atMost: limit, within: radius ?? .infinity, areMeasured: true) : reply.result == .hits
        }
    }

    /// Makes searches for words in names and notes.
    ///
    /// - Parameters:
    ///   - texts: the texts from which each search chooses one; if empty, searches use words of generated names.
    ///   - isChecked: whether to count the hits of each answer. If false, only the type of the answer is checked.
    public static func search(texts: [String], limit: Int, seed: UInt64, isChecked: Bool = false) -> ReadOperation {
        var world = LoadWorld(seed: seed, stream: 2)
        let pool = RequestPool {
            let text =
                texts.isEmpty ? "\(world.pick(LoadName.adjectives)) \(world.pick(LoadName.nouns))" : world.pick(texts)
            return .with {
                $0.search.text = text
                $0.search.limit = UInt32(limit)
            }
        }
        return ReadOperation(name: "search", pool: pool) { reply in
            isChecked ? reply.areHits(atMost: limit, areMeasured: false) : reply.result == .hits
        }
    }

    public func append(_ number: UInt64, to body: inout [UInt8]) { pool.append(number, to: &body) }
    public func fault(_ reply: ReplyReader) -> String? { isRight(reply) ? nil : ReplyReader.unreadable }
}

/// Requests of `GET /v1/near`, which are made before the run. The positions are those of ``ReadOperation``.
public struct WebNear: Sendable {
    private let pool: RequestPool

    /// - Parameter radius: the radius in metres; nil for no limit.
    public init(_ origin: HTTPOrigin, limit: Int, radius: Double?, around: Coordinate?, seed: UInt64) {
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        pool = RequestPool(RequestPool.size) {
            let place = world.position()
            var query = "lat=\(Self.decimal(place.latitude))&lng=\(Self.decimal(place.longitude))&limit=\(limit)"
            if let radius { query += "&radius=\(Self.decimal(radius))" }
            return origin.request("/v1/near?\(query)")
        }
    }

    public func append(_ number: UInt64, to request: inout [UInt8]) { pool.append(number, to: &request) }

    /// Formats a number of degrees or metres with seven decimals. The interface reads no exponent.
    private static func decimal(_ number: Double) -> String {
        let units = Int64((min(abs(number), 1e9) * 1e7).rounded())
        let parts = units.quotientAndRemainder(dividingBy: 10_000_000)
        return (number < 0 ? "-" : "") + "\(parts.quotient)." + "\(10_000_000 + parts.remainder)".dropFirst()
    }
}
