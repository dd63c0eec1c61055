// SPDX-License-Identifier: Apache-2.0

public import Logging
public import Monitoring
public import ServiceLifecycle
public import Settings
import WebServer
import WaymarkTransport

extension MonitoringListener {
    /// Makes the listener that the settings configure; nil if they configure none.
    ///
    /// The listener refuses to run where other machines can connect, unless `insecure` or `http.insecure` is set.
    public static func configured(
        by settings: Settings, _ pages: MonitoringPages, logger: Logger
    ) -> (any Service)? {
        guard let text = settings.optionalString("http.listen"), let address = ListenAddress(text) else { return nil }
        let isInsecure = settings.bool("insecure") || settings.bool("http.insecure")
        return MonitoringListener(
            address, pages: pages, logger: logger,
            rule: { try ListenRule.check("tcp://\($0)", insecure: isInsecure) })
    }
}
