// SPDX-License-Identifier: Apache-2.0

/// Lets a limited number of suites run at a time. The others wait in the order of arrival.
actor Turns {
    static let services = Turns(3)
    static let code = Turns(3)

    private var left: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { left = count }

    func begin() async {
        guard left == 0 else {
            left -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { left += 1 } else { waiting.removeFirst().resume() }
    }
}
