// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess

/// Two machines that are joined by a wire: network namespaces. On one the services run, on the other one clients.
struct ProcessMachines {
    static let how = "needs root and iproute2, for network namespaces"

    let bench: ProcessBench
    let services: Namespace
    let clients: Namespace
    /// The services' machine, as the other one reaches it.
    var host: String { clients.peerAddress }

    init(_ bench: ProcessBench) throws {
        self.bench = bench
        services = try Namespace(joinedTo: .nobody)
        do { clients = try Namespace(joinedTo: .other(services)) } catch {
            services.close()
            throw error
        }
    }

    /// Starts a program on the services' machine.
    func start(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Child {
        try start(name, arguments, in: services, environment)
    }

    /// Starts `waymark` on the clients' machine.
    func waymark(_ arguments: String...) throws -> Child {
        try start("waymark", arguments, in: clients, ["WAYMARK_CONNECT": "tcp://\(host):7420", "WAYMARK_USER": "ann"])
    }

    private func start(
        _ name: String, _ arguments: [String], in space: Namespace, _ environment: [String: String]
    ) throws -> Child {
        var words = ["\(Products.folder)/\(name)"] + arguments
        // Nor does the other machine have the files of the services, with their ipc sockets.
        if space === clients {
            words = ["/bin/sh", "-c", "mount -t tmpfs none \"$0\" && exec \"$@\"", bench.path + "/share"] + words
        }
        words = space.words(words)
        return try bench.start(words[0], Array(words.dropFirst()), environment: environment)
    }
}

/// Runs `body` with two machines. Their names go with it; they themselves end with their last program.
func withMachines(_ body: (ProcessMachines) async throws -> Void) async throws {
    try await withBench { bench in
        let machines = try ProcessMachines(bench)
        defer {
            machines.clients.close()
            machines.services.close()
        }
        try await body(machines)
    }
}
