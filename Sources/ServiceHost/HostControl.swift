// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import ServiceLifecycle

/// Handles signals and changed settings while a service runs. When it ends, the service group stops.
struct HostControl: Service {
    /// The interval at which the settings file is checked for changes. Notifications would not be enough: not every
    /// file system sends them, and they miss it when another file takes the name.
    private static let pause = Duration.seconds(2)

    let signals: HostSignals
    let reload: SettingsReload
    let logger: Logger

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // A cancelled task does not sleep.
                while (try? await Task.sleep(for: Self.pause)) != nil { await reload.look() }
            }
            for await event in signals.events.cancelOnGracefulShutdown() {
                switch event {
                case .reload: await reload.reload()
                case .stop(let number):
                    logger.info("stopping", metadata: ["signal": number == SIGTERM ? "SIGTERM" : "SIGINT"])
                    group.cancelAll()
                    return
                }
            }
            group.cancelAll()
        }
    }
}
