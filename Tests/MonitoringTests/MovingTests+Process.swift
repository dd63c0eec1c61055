// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import WaymarkProtocol

extension MovingTests {
    func process(_ stage: Stage) async throws {
        for side in [Stage.Side.storage, .query] {
            var files: [FileHandle] = []
            var ballast: [UInt8] = []
            try await stage.move(
                side,
                [
                    "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds",
                    "process_max_fds",
                ]
            ) {
                ballast = [UInt8](repeating: 1, count: 64 << 20)
                for _ in 0..<100 { files.append(try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))) }
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                // The hard limit too: a service that another test starts raises the soft one again.
                limit.rlim_max = min(limit.rlim_cur, limit.rlim_max) - 1
                limit.rlim_cur = limit.rlim_max
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
            for file in files { try file.close() }
            #expect(ballast.count == 64 << 20)
            let scrape = try await stage.watched(side).scrape()
            let start = scrape.value("process_start_time_seconds")
            let now = Date().timeIntervalSince1970
            #expect(start <= now + 1 && start > now - ProcessInfo.processInfo.systemUptime - 1)
            let labels = ["version": Product.version, "service": side == .storage ? "storage" : "query"]
            #expect(scrape.value("waymark_build_info", labels) == 1)
        }
    }
}
