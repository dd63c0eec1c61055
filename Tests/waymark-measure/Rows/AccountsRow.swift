// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// What accounts cost: encryption, and people who guess passwords.
struct AccountsRow: TableRow {
    private static let guesses = 1_000.0
    private static let most = 100_000

    func lines(_ run: TableRun) async throws -> [TableLine] {
        let world = World(landmarks: min(run.scale.landmarks, Self.most), seed: run.seed)
        var (secured, plain) = (
            Near(try await stage(run, world, accounts: true), seed: run.seed),
            Near(try await stage(run, world, accounts: false), seed: run.seed)
        )
        let (near, floor, bare) = try await encryption(run, &secured, &plain)
        let times = (secured.time.remark, plain.time.remark)
        var guessed: [TableLine] = []
        for addresses in [1, 40] { guessed.append(try await guessing(run, &secured, addresses)) }
        for stage in [secured.stage, plain.stage] { stage.end() }
        let among = "near --limit 20 among \(FigureUnit.grouped(world.requests.count * World.rows))"
        return [
            TableLine(
                .accounts, "\(among), window 128, encrypted", .perSecond, near, beside: "without accounts",
                goal: .ratio(.atLeast, 0.6)
            ).remarking([times.0, times.1.map { "Without accounts: \($0)" }]),
            TableLine(
                .accounts, "\(among), window 128, encrypted", .perSecond, floor, beside: "bare echo, encrypted",
                goal: .ratio(.atLeast, 0.7)),
            TableLine(
                .accounts, "bare echo with as many bytes, window 128, encrypted", .perSecond, bare,
                beside: "in the clear"),
        ] + guessed
    }

    private func stage(_ run: TableRun, _ world: World, accounts: Bool) async throws -> Stage {
        let name = accounts ? "secured" : "open"
        run.tell("\(FigureUnit.grouped(world.requests.count * World.rows)) landmarks are put into storage: \(name)")
        let stage = try Stage(run.children, name, accounts: accounts)
        try stage.startQuery()
        _ = try await stage.fill(world)
        try await stage.settle()
        return stage
    }

    private func encryption(
        _ run: TableRun, _ secured: inout Near, _ plain: inout Near
    ) async throws -> (near: Rounds, floor: Rounds, bare: Rounds) {
        var (near, floor, bare) = (Rounds(), Rounds(), Rounds())
        let many = run.closed(window: 128)
        for round in run.rounds {
            run.tell("near with accounts and without, round \(round)")
            let own = try await secured.ask(run, many).throughput
            let echo = try await secured.bare(run, many, isEncrypted: true).throughput
            near.add(own, beside: try await plain.ask(run, many).throughput)
            floor.add(own, beside: echo)
            bare.add(echo, beside: try await plain.bare(run, many).throughput)
        }
        return (near, floor, bare)
    }

    private func guessing(_ run: TableRun, _ secured: inout Near, _ addresses: Int) async throws -> TableLine {
        let from = addresses == 1 ? "one address" : "\(addresses) addresses"
        guard let endpoint = secured.stage.signIn, let keys = secured.stage.keys else {
            return TableLine(.accounts, missing: "nobody can sign in")
        }
        // As in the row of writes: with more users the queue at the service would be measured.
        let shape = run.closed(window: 8, seconds: run.scale.seconds * 1.5)
        var (rounds, checked, refused) = (Rounds(), [Double](), [Double]())
        for round in run.rounds {
            run.tell("near while passwords are guessed from \(from), round \(round)")
            let alone = try await secured.ask(run, shape)
            let flood = PasswordFlood(endpoint, server: keys.server, rate: Self.guesses, addresses: addresses)
            let beside: LoadFigures
            do { beside = try await secured.ask(run, shape) } catch {
                _ = try? await flood.end()
                throw error
            }
            let counts = try await flood.end()
            checked.append(Double(counts.checked) / counts.seconds)
            refused.append(Double(counts.refused) / counts.seconds)
            rounds.add(beside.latency.p99, beside: alone.latency.p99)
        }
        let median = { (values: [Double]) in FigureUnit.perSecond.text(Spread(values)?.median ?? 0) }
        return TableLine(
            .accounts,
            "p99 of near, window 8, while \(FigureUnit.perSecond.text(Self.guesses)) passwords are guessed from \(from)",
            .microseconds, rounds, beside: "without guesses",
            goal: addresses == 1 ? .ratio(.atMost, 1.2) : nil
        ).remarking([
            "\(median(checked)) were compared with a password, \(median(refused)) refused before; the others had no answer."
        ])
    }
}
