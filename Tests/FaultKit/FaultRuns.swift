// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The fault tests to run, and their size. Each starts many programs and measures times, so they run one after the
/// other, without other tests, and only on request.
public enum FaultRuns {
    public static let isAsked = ProcessInfo.processInfo.environment["WAYMARK_FAULT_TESTS"] != nil
    /// Whether to run at the size of the design's table.
    public static let isWhole = ProcessInfo.processInfo.environment["WAYMARK_FAULTS_WHOLE"] != nil
    public static let how = "WAYMARK_FAULT_TESTS=1 swift test --no-parallel --filter 'FaultTests|DamageTests' runs it"

    /// The folder of programs that were built from mutated sources; nil if none is given.
    public static let mutants = ProcessInfo.processInfo.environment["WAYMARK_MUTANTS"]
    public static let howToMutate =
        "WAYMARK_MUTANTS=FOLDER swift test --no-parallel --filter MutationTests runs it on programs built from the "
        + "sources that 'waymark-faults mutate' has edited"
}
