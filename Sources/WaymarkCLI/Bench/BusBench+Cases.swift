// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

enum BusPattern: String, CaseIterable, ExpressibleByArgument {
    case push, pub, req, dealer

    var sender: Socket.Kind {
        switch self {
        case .push: .push
        case .pub: .pub
        case .req, .dealer: .dealer
        }
    }

    var isAnswered: Bool { self == .req || self == .dealer }
}

extension BusBench {
    /// The sizes of each case.
    var allSizes: [MessageSizes] {
        if let replay = load.replay, size == nil { return sizes ?? [.recorded(replay.sizes(warmUp: load.warmup))] }
        return sizes ?? [.fixed(size ?? 64)]
    }

    func cases(_ target: BusTarget) -> [BenchCase] {
        allSizes.map { sizes in
            let message = BusMessage(sizes, frames: frames)
            let run: BenchCase.Run
            let bare: BenchCase.Run
            if pattern.isAnswered {
                var test = BusRequestTest(
                    answerBytes: answerSize, timeout: UInt64((timeout ?? .seconds(5)) / .nanoseconds(1)))
                (test.target, test.message, test.stall) = (target, message, stall)
                test.envelope = pattern == .dealer ? .dealer : echo ? .echo : .numbered
                test.delay = answerDelay ?? 0
                run = test.run
                bare = test.runBare
            } else {
                var test = BusStreamTest(pattern == .push ? .push : .pub, receivers: load.clients)
                (test.target, test.message) = (target, message)
                stream.apply(to: &test)
                run = test.run
                bare = test.runBare
            }
            return BenchCase(
                label: (frames > 1 ? "\(frames) × " : "") + Values.text(of: sizes),
                shape: load.shape(defaultWindow: pattern.isAnswered ? 1 : 1_000), run: run,
                bare: report.raw
                    ? .init(name: "bare bus") { shape, watch, _ in try await bare(shape, watch) } : nil)
        }
    }

    /// Fails unless a peer answers at each endpoint.
    func meetPeers(_ target: BusTarget, _ stop: LoadStop) async throws {
        for (endpoint, kind) in [(target.endpoint, pattern.sender), (target.receive, pattern == .push ? .pull : .sub)] {
            guard let endpoint else { continue }
            try await BusProbe.meet(kind, at: endpoint, security: target.security, stop: stop)
        }
    }

    /// Reads a delay and returns its nanoseconds.
    static func delay(_ text: String) throws -> UInt64 {
        guard let microseconds = LoadQuantity.read(text, as: .microseconds), (0.001...1e6).contains(microseconds) else {
            throw BadValue("a delay is a time up to 1s with ns, us, ms or s, such as 50us.")
        }
        return UInt64(microseconds * 1_000)
    }

    static func stall(_ text: String) throws -> EchoServer.Stall {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let after = UInt64(parts[0]), after > 0,
            let time = try? Values.duration(String(parts[1])),
            time <= .seconds(10)
        else { throw BadValue("a stall is COUNT:TIME of up to 10s, such as 1000:200ms.") }
        return EchoServer.Stall(after: after, milliseconds: UInt64(time / .milliseconds(1)))
    }
}
