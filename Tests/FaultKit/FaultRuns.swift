// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether and how the fault tests run: each starts many programs and measures times, so they run by themselves, one
/// after the other, and only when they are asked for.
public enum FaultRuns {
    public static let isAsked = ProcessInfo.processInfo.environment["WAYMARK_FAULT_TESTS"] != nil
    /// As large as the table of the design has them.
    public static let isWhole = ProcessInfo.processInfo.environment["WAYMARK_FAULTS_WHOLE"] != nil
    public static let how = "WAYMARK_FAULT_TESTS=1 swift test --no-parallel --filter 'FaultTests|DamageTests' runs it"
}
