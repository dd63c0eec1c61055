// SPDX-License-Identifier: Apache-2.0

import CYAML

extension YAMLNode {
    /// Reads a text that contains one YAML document. Uses libyaml.
    ///
    /// Refuses anchors and aliases, because aliases of aliases can grow without limit. Ignores tags.
    ///
    /// - Returns: nil if the text contains no document.
    public static func read(_ text: String) throws(YAMLError) -> YAMLNode? {
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBufferPointer { (bytes) throws(YAMLError) in
            var reader = YAMLReader(bytes)
            return try reader.document()
        }
    }
}

/// Builds nodes from libyaml's events. The bytes must stay valid as long as the reader is used.
private struct YAMLReader: ~Copyable {
    /// The maximum depth of nesting, deeper than in any configuration. It limits the recursion.
    private static let mostLevels = 32

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The current event. It owns texts that libyaml allocated, so it must be deleted before the next event is read.
    private let event: UnsafeMutablePointer<yaml_event_t>

    private let isReady: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        event = .allocate(capacity: 1)
        event.initialize(to: yaml_event_t())
        // If there is no memory, this call fails and leaves the parser zeroed. A zeroed parser may be deleted.
        isReady = yaml_parser_initialize(parser) == 1
        guard isReady else { return }
        // Set the encoding, instead of detecting it, because text that was validated as UTF-8 must not be read as
        // UTF-16.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_event_delete(event)
        yaml_parser_delete(parser)
        event.deallocate()
        parser.deallocate()
    }

    mutating func document() throws(YAMLError) -> YAMLNode? {
        guard isReady else { throw YAMLError(line: nil, problem: "there is no memory to read it") }
        try advance(past: YAML_STREAM_START_EVENT)
        if event.pointee.type == YAML_STREAM_END_EVENT { return nil }
        try advance(past: YAML_DOCUMENT_START_EVENT)
        let root = try node(level: 1)
        try advance(past: YAML_DOCUMENT_END_EVENT)
        guard event.pointee.type == YAML_STREAM_END_EVENT else {
            throw YAMLError(line: line, problem: "it holds more than one document")
        }
        return root
    }

    /// Reads the node that begins at the current event, then moves to the event after the node.
    private mutating func node(level: Int) throws(YAMLError) -> YAMLNode {
        let line = line
        guard level <= Self.mostLevels else {
            throw YAMLError(line: line, problem: "it is nested deeper than \(Self.mostLevels) levels")
        }
        let event = event.pointee
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            try refuse(anchor: scalar.anchor)
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            try advance()
            return YAMLNode(content: .scalar(text, isPlain: isPlain), line: line)
        case YAML_SEQUENCE_START_EVENT:
            try refuse(anchor: event.data.sequence_start.anchor)
            try advance()
            return YAMLNode(content: .sequence(try sequence(level)), line: line)
        case YAML_MAPPING_START_EVENT:
            try refuse(anchor: event.data.mapping_start.anchor)
            try advance()
            return YAMLNode(content: .mapping(try mapping(level)), line: line)
        case YAML_ALIAS_EVENT: throw Self.anchored(line)
        default: throw YAMLError(line: line, problem: "it cannot be read")
        }
    }

    private mutating func sequence(_ level: Int) throws(YAMLError) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while event.pointee.type != YAML_SEQUENCE_END_EVENT { nodes.append(try node(level: level + 1)) }
        try advance()
        return nodes
    }

    private mutating func mapping(_ level: Int) throws(YAMLError) -> [YAMLNode.Member] {
        var members: [YAMLNode.Member] = []
        var names: Set<String> = []
        while event.pointee.type != YAML_MAPPING_END_EVENT {
            let key = try node(level: level + 1)
            guard let name = key.text else { throw YAMLError(line: key.line, problem: "a key has to be a word") }
            guard names.insert(name).inserted else {
                throw YAMLError(line: key.line, problem: "\(name.prefix(40)) is given twice")
            }
            members.append(.init(name: name, line: key.line, value: try node(level: level + 1)))
        }
        try advance()
        return members
    }

    private mutating func advance(past type: yaml_event_type_t) throws(YAMLError) {
        // Before the first event is read, the current event is empty.
        if event.pointee.type == YAML_NO_EVENT { try advance() }
        guard event.pointee.type == type else { throw YAMLError(line: line, problem: "it cannot be read") }
        try advance()
    }

    private mutating func advance() throws(YAMLError) {
        yaml_event_delete(event)
        guard yaml_parser_parse(parser, event) == 1 else { throw failure }
    }

    private func refuse(anchor: UnsafeMutablePointer<yaml_char_t>?) throws(YAMLError) {
        if anchor != nil { throw Self.anchored(line) }
    }

    private static func anchored(_ line: Int) -> YAMLError {
        YAMLError(line: line, problem: "anchors and aliases are not read")
    }

    private var line: Int { Int(clamping: event.pointee.start_mark.line) + 1 }

    /// The error as libyaml describes it. Its sentences are constants, and quote nothing from the text.
    private var failure: YAMLError {
        let context = parser.pointee.context.map { String(cString: $0) }
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        // An error in reading bytes has no line.
        let hasLine = parser.pointee.error == YAML_SCANNER_ERROR || parser.pointee.error == YAML_PARSER_ERROR
        return YAMLError(
            line: hasLine ? Int(clamping: parser.pointee.problem_mark.line) + 1 : nil,
            problem: [context, problem].compactMap(\.self).joined(separator: ", "))
    }
}
