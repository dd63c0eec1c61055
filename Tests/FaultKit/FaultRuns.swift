// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether and at which size the fault tests run. Each starts many programs and measures times, so they run one after
/// the other, without other tests, and only on request.
public enum FaultRuns {
    public static let isAsked = ProcessInfo.processInfo.environment["WAYMARK_FAULT_TESTS"] != nil
    /// Whether to run at the size of the design's table.
    public static let isWhole = ProcessInfo.processInfo.environment["WAYMARK_FAULTS_WHOLE"] != nil
    public static let how = "WAYMARK_FAULT_TESTS=1 swift test --no-parallel --filter 'FaultTests|DamageTests' runs it"
}
