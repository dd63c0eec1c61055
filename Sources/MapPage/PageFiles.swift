// SPDX-License-Identifier: Apache-2.0

internal import CMapPage

/// The page's files, each under its plain name, and those that another file names also under a name with a digest, such
/// as `page.0123456789ab.js`. Behind such a name the bytes never change.
struct PageFiles {
    static let all = PageFiles()
    /// The name of each file in the files that name it: with its digest, if it is known.
    private var named: [String: String] = [:]
    private var files: [String: PageAsset] = [:]
    /// The folder of the land with the digest of its files. Their names are put together by a script.
    private let land: String

    private init() {
        // The table and its bytes are constants of the program, and an entry without a name ends the table.
        var next = waymark_page_assets()
        while let entry = next?.pointee, let name = entry.name {
            let body = Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
            let name = String(String(cString: name).dropFirst("Assets/".count))
            files[name] = PageAsset(name: name, body: body)
            next = next?.advanced(by: 1)
        }
        let coasts = files.filter { $0.key.hasPrefix("land/") }.sorted { $0.key < $1.key }
        land = "land.\(PageAsset(name: "land", body: coasts.flatMap { $0.value.etag.utf8 }).digest)/"
        for name in ["index.html", "share.html", "sw.js"] { files[name] = finished(name) }
        for (name, file) in files where name.hasSuffix(".js") && !file.isImmutable && name != "sw.js" {
            files[name] = PageAsset(name: name, body: Array(ScriptBundle.code(file.text).utf8))
        }
    }

    /// Returns a file by its name below `/assets/`; nil if there is none.
    func file(_ name: String) -> PageAsset? {
        if let file = files[name] { return file }
        // A page that was loaded before an update names files by other digests: it gets the present ones.
        let plain = name.replacing(/\.[0-9a-f]{12}(?=[.\/])/, with: "", maxReplacements: 1)
        // A page of another version does not fit to the second script.
        guard plain != ScriptBundle.laterName || plain == name else { return nil }
        var found = files[plain] ?? LandParts.asset(plain) { files[$0]?.body } ?? LeafletFolder.asset(plain)
        found?.isImmutable = name.hasPrefix(land)
        return found
    }

    /// Returns a file as browsers get it: with its modules, and with the digests of the files that it names.
    private mutating func finished(_ name: String) -> PageAsset? {
        // Leaflet's files are sent as they are.
        guard let file = files[name] else { return LeafletFolder.asset(name) }
        let ending = name.split(separator: ".").last ?? ""
        guard ["html", "css", "js", "webmanifest"].contains(ending) else { return file }
        var text = file.text
        if ending == "css" {
            let bare = text.replacing(/\/\*[^*]*\*\//, with: "")
            text = bare.replacing(/\s*([{};,]|\n)\s*/) { $0.1 == "\n" ? " " : $0.1 }
        }
        let sources = files
        // The modules work unbundled as well. A test sees that they can be bundled and packed.
        if name.hasSuffix(".js"), name != ScriptBundle.laterName,
            let bundle = try? ScriptBundle.make(name, source: { sources[$0]?.text }),
            let first = try? ScriptNames.packed(bundle.first),
            let later = try? ScriptNames.packed(bundle.later ?? "")
        {
            text = first
            if bundle.later != nil {
                files[ScriptBundle.laterName] = PageAsset(name: ScriptBundle.laterName, body: Array(later.utf8))
            }
        }
        let parts = text.split(separator: "/assets/", omittingEmptySubsequences: false)
        text = String(parts[0])
        for part in parts.dropFirst() {
            let end = part.firstIndex { !($0.isLetter || $0.isNumber || "-./".contains($0)) } ?? part.endIndex
            text += "/assets/\(digested(String(part[..<end])))\(part[end...])"
        }
        return PageAsset(name: name, body: Array(text.utf8))
    }

    /// Returns the name of a file with its digest, and serves the file under it.
    private mutating func digested(_ name: String) -> String {
        if let known = named[name] { return known }
        if name.hasPrefix("land/") { return land + name.dropFirst("land/".count) }
        // A file that names itself, or one that is not known, keeps its name.
        named[name] = name
        guard var file = finished(name), let dot = name.lastIndex(of: ".") else { return name }
        file.isImmutable = true
        let digested = "\(name[..<dot]).\(file.digest)\(name[dot...])"
        (named[name], files[digested]) = (digested, file)
        return digested
    }
}
