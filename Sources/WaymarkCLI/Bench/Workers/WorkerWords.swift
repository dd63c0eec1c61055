// SPDX-License-Identifier: Apache-2.0

/// The words of a command line that a worker takes from its coordinator. Only known options are taken, because any
/// other might name a file, start a service, or listen.
enum WorkerWords {
    /// The greatest size of an order, in bytes.
    static let mostBytes = 65_536
    private static let tests: Set = ["bus", "near", "search"]
    private static let flags: Set = ["--check", "--echo"]
    private static let valued: Set = [
        "--around", "--arrival", "--as", "--clients", "--connect", "--count", "--duration", "--frames", "--hwm",
        "--limit", "--profile", "--radius", "--rate", "--receive", "--repeat", "--seed", "--size", "--sizes",
        "--subscribe", "--text", "--timeout", "--topic-size", "--topics", "--warmup", "--window",
    ]
    /// Options of the coordinator alone. Each worker gets a seed of its own.
    static let own: Set = [
        "--assert", "--color", "--colour", "--csv", "--hgrm", "--junit", "--metrics", "--output", "--plot", "--report",
        "--seed", "--worker-key", "--workers", "-o",
    ]

    /// Returns the words of an order for a coordinator's arguments, both without `bench`. Throws for any other option.
    ///
    /// - Parameter own: the options that are left out; none for a worker, which refuses them.
    static func order(_ arguments: [String], without own: Set<String> = WorkerWords.own) throws(Failure) -> [String] {
        guard let test = arguments.first, tests.contains(test) else {
            throw .usage("Workers run bus, near and search: no other test can be divided.")
        }
        var (rest, words) = (arguments[...], [String]())
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                words.append(word)
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            guard own.contains(name) || valued.contains(name) || flags.contains(name) else {
                throw .usage("\(name.prefix(80)) cannot be used with workers: leave it out.")
            }
            var taken = [word]
            if !flags.contains(name), name == word {
                // An option must not pass this check as the value of another.
                guard let value = rest.popFirst(), !value.hasPrefix("-") || value.dropFirst().first?.isNumber == true
                else { throw .usage("\(name) lacks its value.") }
                taken.append(value)
            }
            if !own.contains(name) { words += taken }
        }
        guard words.reduce(0, { $0 + $1.utf8.count }) <= mostBytes / 2 else {
            throw .usage("The command line is too long for workers.")
        }
        return words
    }
}
