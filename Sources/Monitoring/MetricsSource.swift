// SPDX-License-Identifier: Apache-2.0

/// Something that has numbers of its own and brings them into a registry when somebody scrapes.
public protocol MetricsSource: Sendable {
    func collect() async
}
