// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol
import ZeroMQ

/// The tested service, and how the test's clients connect to it.
struct BenchService: Sendable {
    /// The test's user name if the person has set no name.
    static let nobody = "bench"

    let endpoint: String
    let user: String
    /// The service's answer to the greeting; nil if the test does not use the bus.
    let welcome: Welcome?
    /// The HTTP interface that is tested; nil for a test of the bus.
    let web: HTTPOrigin?
    /// The keys with which the clients sign in; nil if they connect without keys.
    let keys: ClientKeys?
    /// The time limit for one answer, in nanoseconds.
    let timeout: UInt64
    /// The centre of the area that the test asks about and writes to; nil for cities all over the world.
    var around: Coordinate?
    /// The mark of everything that the test writes; nil if the test leaves nothing behind.
    var mark: BenchMark?
    private let embedded: EmbeddedServices?

    /// Connects to the service. Starts it first if the options ask for that, until the test's end.
    static func open(
        _ target: BenchTargetOptions, web: HTTPOrigin?, usesBus: Bool, seed: UInt64, _ stage: BenchStage
    ) async throws -> BenchService {
        guard target.embedded else {
            return try await BenchService(target, stage.surroundings, nil, web: web, usesBus: usesBus)
        }
        let (live, stop, data) = (stage.live, stage.stop, try await target.rows())
        let embedded = try await EmbeddedServices.start(isOnWeb: web != nil) { stage.removeAtEnd($0) }
        stage.atEnd { await embedded.stop() }
        let all = data?.rows.rows.count ?? target.landmarks ?? BenchTargetOptions.defaultLandmarks
        let tell: @Sendable (Int) -> Void = { live.prepare("landmarks", done: $0, of: all) }
        tell(0)
        if let data {
            try await embedded.fill(data, stop: stop, tell: tell)
        } else {
            try await embedded.fill(all, seed: seed, stop: stop, tell: tell)
        }
        try await embedded.catchUp(stop)
        live.end()
        return try await BenchService(target, stage.surroundings, embedded, web: embedded.web, usesBus: true)
    }

    private init(
        _ target: BenchTargetOptions, _ surroundings: Surroundings, _ embedded: EmbeddedServices?, web: HTTPOrigin?,
        usesBus: Bool
    ) async throws {
        (self.embedded, self.web) = (embedded, web)
        endpoint = try embedded?.endpoint ?? target.service.endpoint(surroundings)
        keys = embedded == nil ? try Credentials(endpoint, surroundings).clientKeys()?.0 : nil
        user = try target.service.user(surroundings, isNeeded: false).nilIfEmpty ?? Self.nobody
        timeout = UInt64(target.requestTimeout / .nanoseconds(1))
        let options = ClientOptions(
            endpoint: endpoint, user: user, timeout: target.requestTimeout, agent: "waymark bench \(Product.version)",
            keys: keys)
        welcome = usesBus ? try await options.withClient { try await $0.hello() } : nil
    }

    /// Makes a test of the feed: of the streams of the HTTP interface, or of subscribers on the bus.
    func tail(_ receivers: Int) -> TailTest {
        var test = TailTest(
            endpoint: endpoint, changes: welcome?.changesEndpoint ?? "", user: user, subscribers: receivers,
            around: around, timeout: timeout)
        (test.web, test.kind) = (web, mark?.name)
        test.security.requests = keys?.security(endpoint)
        if let keys, let key = welcome?.changesKey {
            test.security.changes = .curveClient(serverKey: key, keys: keys.own)
        }
        return test
    }

    /// The disk that storage writes to, if it is known; otherwise the disk of temporary files.
    var disk: BareDisk {
        BareDisk(
            directory: embedded?.directory ?? FileManager.default.temporaryDirectory.path, isOfStorage: embedded != nil)
    }

    /// Returns the counts of what storage has written since its start; nil if they are not available.
    func writes() async -> WritesSoFar? {
        let options = ClientOptions(endpoint: endpoint, user: user, keys: keys)
        let status = try? await options.withClient { try await $0.status() }
        return status?.storage.flatMap { WritesSoFar($0) }
    }

    var processes: [Int32] { embedded?.processes.map(\.pid) ?? [] }

    var versions: [String: String] {
        // The service reports its own name and version.
        var versions = welcome.map { [$0.service: $0.version] } ?? [:]
        versions["libzmq"] = Context.libraryVersion
        return versions
    }
}
