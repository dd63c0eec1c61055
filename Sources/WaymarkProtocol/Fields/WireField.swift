// SPDX-License-Identifier: Apache-2.0

/// The fields of one message of `waymark.proto`, each with its number.
///
/// Hand-written encoders and decoders take the field numbers only from these tables. A test compares every table with
/// the generated messages. A table contains all fields of its message, except that attributes have their own table.
public protocol WireField: RawRepresentable<UInt64>, CaseIterable, Sendable {}
