// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    /// Where clients are told to subscribe; empty before the start.
    var announcedFeed: String { publisher.map { Endpoint.announced(options.advertise ?? $0.endpoint) } ?? "" }

    /// - Parameter spoken: the protocol version of the request.
    func welcome(_ hello: WireHello, spoken: UInt8) -> WireReply {
        guard let lane, publisher != nil else { return WireReply(EngineError.closed.serviceError) }
        // One that was asleep must not draw clients away from the storage that has taken over meanwhile.
        guard lane.remote.isSurelyWriter else { return WireReply(EngineError.superseded.serviceError) }
        let chosen: UInt8
        do throws(ServiceError) {
            chosen = try hello.agreed(spoken: spoken, ours: options.protocolVersions)
        } catch {
            return WireReply(error)
        }
        return .with {
            $0.welcome = .with {
                $0.service = "waymark-storage"
                $0.version = Product.version
                $0.protocol = UInt32(chosen)
                $0.epoch = lane.position.epoch.wire
                $0.run = run.wire
                $0.head = lane.position.rev
                $0.floor = lane.floor
                $0.changesEndpoint = announcedFeed
                $0.limits = .ours
                $0.beaconMs = UInt32(options.beacon / .milliseconds(1))
                $0.feedVersion = UInt32(options.feedForms.map(\.rawValue).max() ?? 0)
                if security(options.changes, KeyDomain.changes) != nil, let key = own?.publicKey {
                    $0.changesKey = Data(key.bytes)
                }
            }
        }
    }
}
