// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AroundOptions: ParsableArguments {
    @Option(
        .location,
        "Ask or write around this position: \(Location.forms). Example: --around Sydney. (default: in cities all over "
            + "the world)")
    var around: Location?
}
