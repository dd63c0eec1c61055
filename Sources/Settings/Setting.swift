// SPDX-License-Identifier: Apache-2.0

/// A setting, and the option (a property of `Options`) that it sets. The initial value of the option is the setting's
/// default, so help texts and files need not repeat it.
public struct Setting<Options>: Sendable {
    fileprivate let key: @Sendable (Options) -> SettingKey
    fileprivate let set: @Sendable (inout Options, Settings) -> Void

    public init<Value>(
        _ name: String, _ type: SettingType<Value>, _ option: any WritableKeyPath<Options, Value> & Sendable,
        help: String
    ) {
        key = { SettingKey(name, type.kind, default: type.text($0[keyPath: option]), help: help) }
        set = { $0[keyPath: option] = type.value($1, name) }
    }

    /// A setting that sets no option by itself, because it is read together with other settings.
    public init(_ name: String, _ kind: SettingKind, default text: String? = nil, help: String) {
        self.init(SettingKey(name, kind, default: text, help: help))
    }

    public init(_ key: SettingKey) {
        self.key = { _ in key }
        set = { _, _ in }
    }
}

extension Sequence {
    /// Returns the keys of the settings, with the present values of the options as defaults.
    public func settingKeys<Options>(_ options: Options) -> [SettingKey] where Element == Setting<Options> {
        map { $0.key(options) }
    }

    /// Sets every option from its setting.
    public func apply<Options>(_ settings: Settings, to options: inout Options) where Element == Setting<Options> {
        for setting in self { setting.set(&options, settings) }
    }
}

/// The type of an option: converts between the option's value and the text of its setting.
public struct SettingType<Value>: Sendable {
    let kind: SettingKind
    /// Returns the text of a value; nil if the value has none.
    let text: @Sendable (Value) -> String?
    let value: @Sendable (Settings, String) -> Value
}

extension SettingType<Int> {
    public static func int(_ range: ClosedRange<Int>) -> Self {
        Self(kind: .int(range), text: { "\($0)" }, value: { $0.int($1) })
    }

    public static func bytes(_ range: ClosedRange<Int>) -> Self {
        Self(kind: .bytes(range), text: { SettingText.text(ofBytes: $0) }, value: { $0.bytes($1) })
    }
}

extension SettingType<UInt64> {
    /// - Parameter range: must not contain negative numbers.
    public static func int(_ range: ClosedRange<Int>) -> Self {
        Self(kind: .int(range), text: { "\($0)" }, value: { UInt64($0.int($1)) })
    }
}

extension SettingType<Bool> {
    public static var bool: Self { Self(kind: .bool, text: { "\($0)" }, value: { $0.bool($1) }) }
}

extension SettingType<Duration> {
    public static func duration(_ range: ClosedRange<Duration>) -> Self {
        Self(kind: .duration(range), text: { SettingText.text(of: $0) }, value: { $0.duration($1) })
    }
}

extension SettingType<String> {
    public static var endpoint: Self { Self(kind: .endpoint, text: { $0 }, value: { $0.string($1) }) }
}

extension SettingType<String?> {
    public static var announced: Self { Self(kind: .announced, text: { $0 }, value: { $0.optionalString($1) }) }
    public static var path: Self { Self(kind: .path, text: { $0 }, value: { $0.optionalString($1) }) }
}

extension SettingType<[String]> {
    public static var endpoints: Self {
        Self(
            kind: .endpoints, text: { $0.isEmpty ? nil : $0.joined(separator: ",") }, value: { $0.endpoints($1) })
    }
}
