// SPDX-License-Identifier: Apache-2.0

public import Geodesy

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
