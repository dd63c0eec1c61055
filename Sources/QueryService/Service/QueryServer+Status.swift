// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    /// - Parameter spoken: the protocol version of the request.
    func welcome(_ hello: WireHello, spoken: UInt8) -> WireReply {
        guard let running else { return WireReply(.notLoaded) }
        let chosen: UInt8
        do throws(ServiceError) {
            chosen = try hello.agreed(spoken: spoken, ours: running.link.spokenWithClients)
        } catch {
            return WireReply(error)
        }
        let sync = running.sync
        guard let replica = sync.replica else { return WireReply(.notLoaded) }
        return .with {
            $0.welcome = WireWelcome(
                from: "waymark-query", speaking: chosen, at: replica.position, run: run, floor: sync.knownFloor,
                feed: sync.feedOffered)
        }
    }

    /// Answers with the status of this service and of storage.
    func answerStatus(_ request: IncomingRequest) {
        let address = request.address
        running?.answers.assembling += 1
        Task {
            defer { running?.answers.assembling -= 1 }
            var report = WireStatusReport()
            if let link = running?.link, !link.isAway,
                case .status(let theirs)? = try? await link.ask(
                    .with { $0.status = WireStatus() }, timeout: .seconds(2)
                ).result
            {
                report.storage = theirs.storage
            }
            guard let running else { return }
            report.query = status(running)
            running.answers.answer(address, WireReply.with { $0.status = report }.encoded)
        }
    }

    private func status(_ running: RunningQuery) -> WireQueryStatus {
        let (link, sync) = (running.link, running.sync)
        return .with {
            $0.version = Product.version
            $0.run = run.wire
            $0.ready = sync.state.isServing
            $0.epoch = sync.replica?.position.epoch.wire ?? Data()
            $0.rev = sync.replica?.position.rev ?? 0
            $0.lag = link.state.head - min(link.state.head, sync.replica?.position.rev ?? 0)
            $0.landmarks = UInt64(sync.replica?.count ?? 0)
            $0.uptimeMs = Monotonic.milliseconds - started
            $0.storageAway = link.isAway
            $0.ageMs = UInt32(clamping: sync.age)
            $0.storageEndpoint = link.channel?.endpoint ?? options.storageNames
            $0.changesEndpoint = sync.feedOffered.endpoint
            let health = health().wire
            ($0.problems, $0.remarks) = (health.problems, health.remarks)
            $0.counters = QueryMetrics.table.counters(of: QueryNumbers(running: running, counters: counters))
        }
    }
}
