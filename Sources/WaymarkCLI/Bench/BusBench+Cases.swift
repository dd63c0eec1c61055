// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

enum BusPattern: String, CaseIterable, ExpressibleByArgument {
    case push, pub, req

    /// The type of the socket that sends.
    var sender: Socket.Kind {
        switch self {
        case .push: .push
        case .pub: .pub
        case .req: .dealer
        }
    }
}

extension BusBench {
    var cases: [BenchCase] {
        (sizes ?? [size ?? 64]).map { size in
            let run: BenchCase.Run
            let bare: BenchCase.Run
            switch pattern {
            case .req:
                let test = BusRequestTest(
                    endpoint: endpoint, size: size, answerBytes: answerSize, isEcho: echo,
                    timeout: UInt64((timeout ?? .seconds(5)) / .nanoseconds(1)), stall: stall, delay: answerDelay ?? 0)
                run = test.run
                bare = test.runBare
            case .push, .pub:
                let test = BusStreamTest(
                    pattern == .push ? .push : .pub, endpoint: endpoint, receiveEndpoint: receive, size: size,
                    receivers: load.clients)
                run = test.run
                bare = test.runBare
            }
            return BenchCase(
                label: Values.text(ofSize: size), shape: load.shape(defaultWindow: pattern == .req ? 1 : 1_000),
                run: run,
                bare: report.raw
                    ? .init(name: "bare bus") { shape, watch, _ in try await bare(shape, watch) } : nil)
        }
    }

    /// Fails unless a peer answers at each endpoint.
    func meetPeers(_ stop: LoadStop) async throws {
        if let endpoint { try await BusProbe.meet(pattern.sender, at: endpoint, stop: stop) }
        if let receive { try await BusProbe.meet(pattern == .push ? .pull : .sub, at: receive, stop: stop) }
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
