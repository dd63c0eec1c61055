// SPDX-License-Identifier: Apache-2.0

/// The actions of a person with a keyboard alone, and what a screen reader says.
extension Browser {
    /// Presses keys at once: the first are held while the last is pressed.
    public func press(_ keys: Key...) async throws { try await press(keys.map(\.rawValue)) }

    /// A letter with the control key.
    public func pressControl(_ letter: Character) async throws {
        try await press([Key.control.rawValue, String(letter)])
    }

    public func type(_ text: String) async throws {
        try await keys(text.map { [("keyDown", $0), ("keyUp", $0)] }.joined())
    }

    private func press(_ keys: [String]) async throws {
        let characters = keys.flatMap(Array.init)
        try await self.keys(
            characters.map { ("keyDown", $0) } + characters.reversed().map { ("keyUp", $0) })
    }

    private func keys(_ actions: some Sequence<(String, Character)>) async throws {
        let steps = actions.map { ["type": $0.0, "value": String($0.1)] }
        _ = try await ask(
            "POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": steps]]], as: Nothing.self)
    }

    /// The role and the name of the focused element, as a screen reader says them.
    public func focus() async throws -> (role: String, name: String) {
        for attempt in 1... {
            do {
                let element: [String: String] = try await ask("GET", "/element/active")
                guard let id = element.values.first else { throw BrowserError("nothing has the focus") }
                let role: String = try await ask("GET", "/element/\(id)/computedrole")
                return (role, try await ask("GET", "/element/\(id)/computedlabel"))
            } catch let error as BrowserError where error.description.hasPrefix("stale element") && attempt < 10 {
                // The element was drawn anew between two questions.
            }
        }
        throw BrowserError("the focus does not stay")
    }

    /// Presses Tab until the focus is on the element of this name.
    ///
    /// - Parameters:
    ///   - name: how the accessible name begins.
    ///   - isBackward: by Shift and Tab.
    public func tab(to name: String, isBackward: Bool = false) async throws {
        var heard: [String] = []
        for _ in 0..<100 {
            if isBackward { try await press(.shift, .tab) } else { try await press(.tab) }
            let now = try await focus()
            if now.name.hasPrefix(name) { return }
            heard.append("\(now.role) \(now.name.prefix(40))")
        }
        throw BrowserError("Tab does not reach \(name); it reached \(Set(heard).sorted())")
    }

    /// Presses Tab to the element of this name, then Enter.
    public func choose(_ name: String) async throws {
        try await tab(to: name)
        try await press(.enter)
    }
}
