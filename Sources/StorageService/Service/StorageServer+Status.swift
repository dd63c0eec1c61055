// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import StorageRules
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    /// The endpoint of the feed that is announced to clients; empty before the start.
    var announcedFeed: String {
        running.map { Endpoint.announced(options.advertise ?? $0.commits.publisher.endpoint) } ?? ""
    }

    /// Answers a client that asks for the versions and endpoints of storage.
    ///
    /// - Parameter spoken: the protocol version of the request.
    func welcome(_ hello: WireHello, spoken: UInt8) -> WireReply {
        guard let running else { return WireReply(EngineError.closed.serviceError) }
        let executor = running.commits.executor
        // If this storage was suspended, another storage may have taken over. This storage must then send no client to
        // its own, old feed.
        guard executor.control.isSurelyWriter else { return WireReply(EngineError.superseded.serviceError) }
        let chosen: UInt8
        do throws(ServiceError) {
            chosen = try hello.agreed(spoken: spoken, ours: options.protocolVersions)
        } catch {
            return WireReply(error)
        }
        let isOpen = running.gate.security(options.changes, KeyDomain.changes) == nil
        return .with {
            $0.welcome = WireWelcome(
                from: "waymark-storage", speaking: chosen, at: executor.position, run: run, floor: executor.floor,
                feed: FeedAddress(announcedFeed, key: isOpen ? nil : running.gate.own?.publicKey),
                beacon: UInt32(options.beacon / .milliseconds(1)))
        }
    }

    func status() async throws(ServiceError) -> [UInt8] {
        guard let (reader, index) = running.map({ ($0.commits.executor.reader, $0.commits.executor.index) }) else {
            throw EngineError.closed.serviceError
        }
        let searched: UInt64
        let numbers: (landmarks: UInt64, databaseBytes: UInt64)
        do throws(EngineError) {
            (searched, numbers) = (try await index.reached().rev, try await reader.numbers())
        } catch { throw error.serviceError }
        guard let running else { throw EngineError.closed.serviceError }
        let executor = running.commits.executor
        return WireReply.with {
            $0.status.storage = .with {
                ($0.version, $0.epoch, $0.run) = (Product.version, executor.position.epoch.wire, run.wire)
                ($0.head, $0.floor, $0.searchRev) = (executor.position.rev, executor.floor, searched)
                ($0.landmarks, $0.databaseBytes) = (numbers.landmarks, numbers.databaseBytes)
                ($0.changesEndpoint, $0.uptimeMs) = (announcedFeed, Monotonic.milliseconds - started)
                $0.counters = StorageMetrics.table.counters(of: running)
            }
        }.encoded
    }
}
