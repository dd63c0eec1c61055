// SPDX-License-Identifier: Apache-2.0

/// The fields of one message of `waymark.proto`, each with its number.
///
/// Hand-written encoders and decoders take the numbers from these tables, and from nowhere else. A test compares every
/// table with the generated messages. A table has all fields of its message; those of a landmark's attributes are in
/// the table of attributes.
public protocol WireField: RawRepresentable<UInt64>, CaseIterable, Sendable {}
