// SPDX-License-Identifier: Apache-2.0

/// The fields of one message of `waymark.proto`, each with its number.
///
/// What is read or written without the generated code takes its numbers from these tables, and from nowhere else. A test
/// holds every one of them against the generated messages. A table has all fields of its message; those of a landmark's
/// attributes are in the table of attributes.
public protocol WireField: RawRepresentable<UInt64>, CaseIterable, Sendable {}
