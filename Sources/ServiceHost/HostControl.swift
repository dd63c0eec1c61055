// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// What a service is told while it runs: to read its settings anew, and to stop. Its end stops the others of the group.
struct HostControl: Service {
    /// How often the settings' file is looked at.
    private static let pause = Duration.seconds(2)

    let signals: HostSignals
    let reload: SettingsReload
    let logger: Logger

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.pause)
                    if !Task.isCancelled { await reload.look() }
                }
            }
            for await event in signals.events.cancelOnGracefulShutdown() {
                switch event {
                case .reload: await reload.reload()
                case .stop(let number):
                    logger.info("stopping", metadata: ["signal": "\(HostSignals.name(number))"])
                    group.cancelAll()
                    return
                }
            }
            group.cancelAll()
        }
    }
}
