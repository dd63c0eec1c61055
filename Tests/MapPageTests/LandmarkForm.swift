// SPDX-License-Identifier: Apache-2.0

import TestBrowser

/// Scripts about the form in the panel.
enum LandmarkForm {
    static let isOpen = "!document.querySelector('#editor').hidden"
    static let isClosed = "document.querySelector('#editor').hidden"
}

extension MapStage {
    /// Opens the page, which lists one landmark, as this person, and that landmark's form.
    func openForm(_ person: String, _ name: String = "Luna Park", button: String = "Edit") async throws {
        try await browser.open(address)
        try await introduce(person)
        try await openPage(listing: 1)
        try await browser.choose(name)
        try await browser.wait("the landmark", "!document.querySelector('#detail').hidden")
        try await browser.choose(button)
        try await browser.wait("the form", LandmarkForm.isOpen)
    }
}

extension Browser {
    /// Types into a field in place of what it has; nil empties it.
    func fill(_ field: String, _ text: String?) async throws {
        try await run(
            """
            for (const each of document.querySelectorAll('#editor details')) each.open = true;
            const field = document.querySelector(`#editor [name=${arguments[0]}]`);
            field.focus();
            field.select();
            """, field)
        if let text { try await self.type(text) } else { try await press(.delete) }
    }

    /// Chooses a kind in the picker; nil is none.
    func choose(kind: String?) async throws {
        try await run("document.querySelector('#editor [name=kind]').focus()")
        try await press(.enter)
        try await wait("the kinds", "document.querySelector('#dialog .tiles button')")
        if let kind {
            try await self.type(kind)
            try await press(.enter)
        } else {
            try await choose("No kind")
        }
        try await wait("the form alone", "!document.querySelector('#dialog')")
    }

    func save() async throws {
        // Enter on the picker of the kind would open it.
        try await run("document.querySelector('#editor [name=name]').focus()")
        try await press(.enter)
        try await wait("the end of the form", LandmarkForm.isClosed)
    }
}
