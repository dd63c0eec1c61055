// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import Synchronization

/// The open connections of a listener. If there are too many, the connection on which the service has waited longest
/// for the client is closed, so that nobody can block the listener by connecting and doing nothing.
final class ConnectionPlaces: Sendable {
    private struct State {
        var places: [ObjectIdentifier: Place] = [:]
        /// The number of connections from each network.
        var counts: [IPAddress: Int] = [:]

        mutating func enter(_ place: Place) {
            places[ObjectIdentifier(place)] = place
            if let network = place.network { counts[network, default: 0] += 1 }
        }

        mutating func leave(_ place: Place) {
            guard places.removeValue(forKey: ObjectIdentifier(place)) != nil, let network = place.network else {
                return
            }
            let left = (counts[network] ?? 1) - 1
            counts[network] = left > 0 ? left : nil
        }

        /// Removes the connection on which the service has waited longest for the client; `newest` if it waits on none.
        mutating func vacate(for newest: Place, in network: IPAddress? = nil) -> Place {
            let waiting = places.values.lazy.filter { network == nil || $0.network == network }
                .compactMap { place in place.waitingSince.map { (place, $0) } }
            let longest = waiting.min { $0.1 < $1.1 }?.0 ?? newest
            leave(longest)
            return longest
        }
    }

    private let most: Int
    private let share: Int
    private let standsForMany: @Sendable (IPAddress) async -> Bool
    private let state = NIOLockedValueBox(State())

    init(_ limits: HTTPLimits) {
        (most, share, standsForMany) = (limits.connections, limits.share, limits.standsForMany)
    }

    /// Adds a connection. Closes a connection if there are too many, or too many from its network.
    func admit(_ channel: any Channel) -> Place {
        let address = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        let place = Place(channel, address?.network)
        let (surplus, isCrowded) = state.withLockedValue { state -> (Place?, Bool) in
            state.enter(place)
            let surplus = state.places.count > most ? state.vacate(for: place) : nil
            return (surplus, place.network.flatMap { state.counts[$0] } ?? 0 > share)
        }
        surplus?.end()
        channel.closeFuture.whenComplete { [state] _ in state.withLockedValue { $0.leave(place) } }
        if isCrowded, let address {
            Task { [state, share, standsForMany] in
                guard await !standsForMany(address) else { return }
                let surplus = state.withLockedValue { state in
                    state.counts[address.network] ?? 0 > share ? state.vacate(for: place, in: address.network) : nil
                }
                surplus?.end()
            }
        }
        return place
    }
}

final class Place: Sendable {
    let network: IPAddress?
    private let channel: any Channel
    /// The system uptime in nanoseconds at which the service began to wait for the client; 0 while the client waits for
    /// the service.
    private let since = Atomic<UInt64>(0)

    init(_ channel: any Channel, _ network: IPAddress?) {
        (self.channel, self.network) = (channel, network)
        waits()
    }

    /// The uptime at which the service began to wait for the client; nil while the client waits for the service.
    var waitingSince: UInt64? {
        let since = since.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }

    func waits() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }
    func works() { since.store(0, ordering: .relaxed) }
    func end() { channel.close(promise: nil) }
}
