// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import ZeroMQ

/// Sends valid requests with extreme numbers to one port, and an honest one after each batch.
struct FuzzRound {
    private static let batch = 64

    let endpoint: String
    let context: Context
    var security: SocketSecurity?
    /// What is asked after each batch, and has to be answered with success.
    var honest = WireRequest.with { $0.status = WireStatus() }
    /// Requests that are changed time and again, because chance seldom makes as good ones.
    var samples: [WireRequest] = []
    /// How often each kind was answered with success, and with which errors.
    private(set) var done: [RequestKind: Int] = [:]
    private(set) var refused: [String: Int] = [:]
    private(set) var sent = 0
    var summary: String {
        "\(sent) sent; done " + done.map { "\($0.key.name) \($0.value)" }.sorted().joined(separator: ", ")
            + "; refused "
            + refused.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    }
    private var asked: [UInt64: WireRequest] = [:]
    /// Requests of each kind that were answered.
    private var answered: [RequestKind: [WireRequest]] = [:]
    /// The same for further pages, whose cursors answers gave.
    private var pages: [RequestKind: [WireRequest]] = [:]
    private var maker: MessageMaker
    private let all: [RequestKind]

    init(
        _ endpoint: String, _ context: Context, seed: UInt64, security: SocketSecurity? = nil, kinds: [RequestKind],
        ids: [UUIDv7] = [], epochs: [UUIDv7]
    ) {
        (self.endpoint, self.context, self.security, all) = (endpoint, context, security, kinds)
        maker = MessageMaker(seed: seed, ids: ids, epochs: epochs)
    }

    /// - Throws: `RawPeer.Silence` if the service does not answer an honest request any more.
    mutating func run(_ count: Int) async throws {
        let friend = RawPeer()
        try await friend.open(endpoint, context: context, security: security)
        let client = UUIDv7(high: maker.random.next(), low: 1)
        var attacker: RawPeer?
        do {
            while sent < count {
                // A clock that has jumped makes a service take what follows on that connection for too old.
                let isOdd = sent / Self.batch % 8 == 7
                if isOdd || attacker == nil {
                    await attacker?.close()
                    attacker = RawPeer()
                    try await attacker?.open(endpoint, context: context, security: security)
                }
                guard let peer = attacker else { return }
                for _ in 0..<Self.batch { try await send(peer, isOdd) }
                var header = RawPeer.header(UInt64(sent), client: client)
                header.timeoutMs = 60_000
                guard case .failure(let failure)? = try await friend.ask(honest, header).1.result else {
                    await note(peer)
                    if isOdd {
                        await peer.close()
                        attacker = nil
                    }
                    continue
                }
                throw Refused(failure: failure.message)
            }
        } catch {
            await attacker?.close()
            await friend.close()
            throw error
        }
        await attacker?.close()
        await friend.close()
    }

    struct Refused: Error { let failure: String }

    private mutating func send(_ peer: RawPeer, _ isOdd: Bool) async throws {
        sent += 1
        // Those with the most numbers more often.
        let favourites = all.filter { [.near, .list, .tile, .changes, .track, .add].contains($0) }
        let kind = maker.random.element(of: maker.random.isOne(of: 3) ? favourites : all)
        var header = RawPeer.header(UInt64(sent), client: UUIDv7(high: 1, low: 7))
        if isOdd {
            let made = try maker.made(WireRequestHeader())
            (header.sentMs, header.timeoutMs, header.account) = (made.sentMs, made.timeoutMs, made.account)
            (header.atLeast, header.origin) = (made.atLeast, made.origin)
        }
        let request =
            if !samples.isEmpty, maker.random.isOne(of: 16) {
                try maker.changed(maker.random.element(of: samples))
            } else if let known = (maker.random.isOne(of: 2) ? pages[kind] : nil) ?? answered[kind],
                !maker.random.isOne(of: 3)
            {
                try maker.changed(maker.random.element(of: known))
            } else {
                try maker.request(kind)
            }
        asked[header.sequence] = request
        try await peer.send([Signature(.request).bytes, header.serializedBytes(), request.serializedBytes()])
    }

    /// Counts the answers that have come, and learns the ids that they tell.
    private mutating func note(_ peer: RawPeer) async {
        // An answer that comes later is counted the next time.
        for frames in await peer.takeAll() {
            guard let (header, reply) = try? RawPeer.read(frames),
                let request = asked.removeValue(forKey: header.sequence)
            else { continue }
            if case .failure(let failure)? = reply.result {
                refused[ErrorCode(rawValue: failure.code)?.name ?? "\(failure.code)", default: 0] += 1
                continue
            }
            done[request.kind, default: 0] += 1
            maker.head = max(maker.head, reply.written.rev)
            keep(request, in: \.answered)
            if !reply.hits.cursor.isEmpty { keep(Self.next(request, after: reply.hits.cursor), in: \.pages) }
            for id in [reply.written.id, reply.written.note, reply.backupFile.id].compactMap({ UUIDv7(bytes: $0) }) {
                maker.ids.append(id)
            }
            if maker.ids.count > 64 { maker.ids.removeFirst(maker.ids.count - 32) }
        }
    }

    private mutating func keep(_ request: WireRequest, in which: WritableKeyPath<Self, [RequestKind: [WireRequest]]>) {
        var kept = self[keyPath: which][request.kind] ?? []
        kept.append(request)
        if kept.count > Self.batch { kept.remove(at: Int(maker.random.next() % UInt64(kept.count))) }
        self[keyPath: which][request.kind] = kept
    }

    /// The same question for its next page.
    private static func next(_ request: WireRequest, after cursor: Data) -> WireRequest {
        var next = request
        switch request.command {
        case .near: next.near.after = cursor
        case .list: next.list.after = cursor
        default: break
        }
        return next
    }
}
