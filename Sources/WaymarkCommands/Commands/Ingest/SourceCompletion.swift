// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The names of sources, for a shell that completes a word.
enum SourceCompletion {
    static let kind = Completions.sources
}
