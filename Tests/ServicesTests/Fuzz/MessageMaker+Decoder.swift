// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf

// The generated code asks for the value of each field, by its type.
extension MessageMaker: Decoder {
    private typealias Maker<Value> = (inout Self, Value?) throws -> Value

    private mutating func set<Value>(_ value: inout Value, _ one: Maker<Value>) rethrows {
        value = try one(&self, isChanging ? value : nil)
    }

    private mutating func set<Value>(_ value: inout Value?, _ one: Maker<Value>) rethrows {
        if !isChanging || value != nil { value = try one(&self, value) }
    }

    private mutating func set<Value>(_ values: inout [Value], _ one: Maker<Value>) rethrows {
        // Six numbers are a ring of three corners.
        let olds =
            isChanging ? values.map(Optional.some) : Array(repeating: nil, count: random.element(of: [0, 1, 1, 2, 6]))
        values = try olds.map { try one(&self, $0) }
    }

    mutating func handleConflictingOneOf() {}

    mutating func decodeSingularFloatField(value: inout Float) { set(&value) { Float($0.double($1.map(Double.init))) } }
    mutating func decodeSingularFloatField(value: inout Float?) {
        set(&value) { Float($0.double($1.map(Double.init))) }
    }
    mutating func decodeRepeatedFloatField(value: inout [Float]) {
        set(&value) { Float($0.double($1.map(Double.init))) }
    }
    mutating func decodeSingularDoubleField(value: inout Double) { set(&value) { $0.double($1) } }
    mutating func decodeSingularDoubleField(value: inout Double?) { set(&value) { $0.double($1) } }
    mutating func decodeRepeatedDoubleField(value: inout [Double]) { set(&value) { $0.double($1) } }
    mutating func decodeSingularInt32Field(value: inout Int32) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularInt32Field(value: inout Int32?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedInt32Field(value: inout [Int32]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularInt64Field(value: inout Int64) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularInt64Field(value: inout Int64?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedInt64Field(value: inout [Int64]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularUInt32Field(value: inout UInt32) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularUInt32Field(value: inout UInt32?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedUInt32Field(value: inout [UInt32]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularUInt64Field(value: inout UInt64) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularUInt64Field(value: inout UInt64?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedUInt64Field(value: inout [UInt64]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSInt32Field(value: inout Int32) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSInt32Field(value: inout Int32?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedSInt32Field(value: inout [Int32]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSInt64Field(value: inout Int64) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSInt64Field(value: inout Int64?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedSInt64Field(value: inout [Int64]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularFixed32Field(value: inout UInt32) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularFixed32Field(value: inout UInt32?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedFixed32Field(value: inout [UInt32]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularFixed64Field(value: inout UInt64) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularFixed64Field(value: inout UInt64?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedFixed64Field(value: inout [UInt64]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSFixed32Field(value: inout Int32) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSFixed32Field(value: inout Int32?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedSFixed32Field(value: inout [Int32]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSFixed64Field(value: inout Int64) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularSFixed64Field(value: inout Int64?) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeRepeatedSFixed64Field(value: inout [Int64]) {
        set(&value) { .init(truncatingIfNeeded: $0.word($1.map { .init(truncatingIfNeeded: $0) })) }
    }
    mutating func decodeSingularBoolField(value: inout Bool) { set(&value) { $1 ?? $0.random.isOne(of: 2) } }
    mutating func decodeSingularBoolField(value: inout Bool?) { set(&value) { $1 ?? $0.random.isOne(of: 2) } }
    mutating func decodeRepeatedBoolField(value: inout [Bool]) { set(&value) { $1 ?? $0.random.isOne(of: 2) } }
    mutating func decodeSingularStringField(value: inout String) { set(&value) { $1 ?? $0.text() } }
    mutating func decodeSingularStringField(value: inout String?) { set(&value) { $1 ?? $0.text() } }
    mutating func decodeRepeatedStringField(value: inout [String]) { set(&value) { $1 ?? $0.text() } }
    mutating func decodeSingularBytesField(value: inout Data) { set(&value) { Data($0.bytes($1.map { [UInt8]($0) })) } }
    mutating func decodeSingularBytesField(value: inout Data?) {
        set(&value) { Data($0.bytes($1.map { [UInt8]($0) })) }
    }
    mutating func decodeRepeatedBytesField(value: inout [Data]) {
        set(&value) { Data($0.bytes($1.map { [UInt8]($0) })) }
    }

    mutating func decodeSingularEnumField<E: Enum>(value: inout E) where E.RawValue == Int {
        set(&value) { E(rawValue: $0.number($1?.rawValue)) ?? E() }
    }
    mutating func decodeSingularEnumField<E: Enum>(value: inout E?) where E.RawValue == Int {
        set(&value) { E(rawValue: $0.number($1?.rawValue)) ?? E() }
    }
    mutating func decodeRepeatedEnumField<E: Enum>(value: inout [E]) where E.RawValue == Int {
        set(&value) { E(rawValue: $0.number($1?.rawValue)) ?? E() }
    }

    mutating func decodeSingularMessageField<M: SwiftProtobuf.Message>(value: inout M?) throws {
        // The command of a request is always there.
        if isCommand || isChanging || random.isOne(of: 2) { try set(&value) { try $0.made($1 ?? M()) } }
    }
    mutating func decodeRepeatedMessageField<M: SwiftProtobuf.Message>(value: inout [M]) throws {
        try set(&value) { try $0.made($1 ?? M()) }
    }

    // proto3 has no groups and no extensions, and this protocol no maps.
    mutating func decodeSingularGroupField<G: SwiftProtobuf.Message>(value: inout G?) {}
    mutating func decodeRepeatedGroupField<G: SwiftProtobuf.Message>(value: inout [G]) {}
    mutating func decodeMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type, value: inout _ProtobufMap<KeyType, ValueType>.BaseType
    ) {}
    mutating func decodeMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: inout _ProtobufEnumMap<KeyType, ValueType>.BaseType
    ) where ValueType.RawValue == Int {}
    mutating func decodeMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: inout _ProtobufMessageMap<KeyType, ValueType>.BaseType
    ) {}
    mutating func decodeExtensionField(
        values: inout ExtensionFieldValueSet, messageType: any SwiftProtobuf.Message.Type, fieldNumber: Int
    ) {}
}
