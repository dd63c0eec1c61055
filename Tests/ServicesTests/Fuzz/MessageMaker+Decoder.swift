// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf

// The generated code asks for the value of each field, by its type.
extension MessageMaker: Decoder {
    mutating func handleConflictingOneOf() {}

    private mutating func several<Value>(_ one: (inout Self) throws -> Value) rethrows -> [Value] {
        // Six numbers are a ring of three corners.
        try (0..<random.element(of: [0, 1, 1, 2, 6])).map { _ in try one(&self) }
    }

    mutating func decodeSingularFloatField(value: inout Float) { value = Float(double()) }
    mutating func decodeSingularFloatField(value: inout Float?) { value = Float(double()) }
    mutating func decodeRepeatedFloatField(value: inout [Float]) {
        value = several { Float($0.double()) }
    }
    mutating func decodeSingularDoubleField(value: inout Double) { value = double() }
    mutating func decodeSingularDoubleField(value: inout Double?) { value = double() }
    mutating func decodeRepeatedDoubleField(value: inout [Double]) {
        value = several { $0.double() }
    }
    mutating func decodeSingularInt32Field(value: inout Int32) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeSingularInt32Field(value: inout Int32?) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedInt32Field(value: inout [Int32]) {
        value = several { Int32(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularInt64Field(value: inout Int64) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeSingularInt64Field(value: inout Int64?) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedInt64Field(value: inout [Int64]) {
        value = several { Int64(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularUInt32Field(value: inout UInt32) { value = UInt32(truncatingIfNeeded: word()) }
    mutating func decodeSingularUInt32Field(value: inout UInt32?) { value = UInt32(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedUInt32Field(value: inout [UInt32]) {
        value = several { UInt32(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularUInt64Field(value: inout UInt64) { value = UInt64(truncatingIfNeeded: word()) }
    mutating func decodeSingularUInt64Field(value: inout UInt64?) { value = UInt64(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedUInt64Field(value: inout [UInt64]) {
        value = several { UInt64(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularSInt32Field(value: inout Int32) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeSingularSInt32Field(value: inout Int32?) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedSInt32Field(value: inout [Int32]) {
        value = several { Int32(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularSInt64Field(value: inout Int64) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeSingularSInt64Field(value: inout Int64?) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedSInt64Field(value: inout [Int64]) {
        value = several { Int64(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularFixed32Field(value: inout UInt32) { value = UInt32(truncatingIfNeeded: word()) }
    mutating func decodeSingularFixed32Field(value: inout UInt32?) { value = UInt32(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedFixed32Field(value: inout [UInt32]) {
        value = several { UInt32(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularFixed64Field(value: inout UInt64) { value = UInt64(truncatingIfNeeded: word()) }
    mutating func decodeSingularFixed64Field(value: inout UInt64?) { value = UInt64(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedFixed64Field(value: inout [UInt64]) {
        value = several { UInt64(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularSFixed32Field(value: inout Int32) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeSingularSFixed32Field(value: inout Int32?) { value = Int32(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedSFixed32Field(value: inout [Int32]) {
        value = several { Int32(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularSFixed64Field(value: inout Int64) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeSingularSFixed64Field(value: inout Int64?) { value = Int64(truncatingIfNeeded: word()) }
    mutating func decodeRepeatedSFixed64Field(value: inout [Int64]) {
        value = several { Int64(truncatingIfNeeded: $0.word()) }
    }
    mutating func decodeSingularBoolField(value: inout Bool) { value = random.isOne(of: 2) }
    mutating func decodeSingularBoolField(value: inout Bool?) { value = random.isOne(of: 2) }
    mutating func decodeRepeatedBoolField(value: inout [Bool]) {
        value = several { $0.random.isOne(of: 2) }
    }
    mutating func decodeSingularStringField(value: inout String) { value = text() }
    mutating func decodeSingularStringField(value: inout String?) { value = text() }
    mutating func decodeRepeatedStringField(value: inout [String]) {
        value = several { $0.text() }
    }
    mutating func decodeSingularBytesField(value: inout Data) { value = Data(bytes()) }
    mutating func decodeSingularBytesField(value: inout Data?) { value = Data(bytes()) }
    mutating func decodeRepeatedBytesField(value: inout [Data]) {
        value = several { Data($0.bytes()) }
    }

    mutating func decodeSingularEnumField<E: Enum>(value: inout E) where E.RawValue == Int {
        value = E(rawValue: number()) ?? value
    }
    mutating func decodeSingularEnumField<E: Enum>(value: inout E?) where E.RawValue == Int {
        value = E(rawValue: number())
    }
    mutating func decodeRepeatedEnumField<E: Enum>(value: inout [E]) where E.RawValue == Int {
        value = several { E(rawValue: $0.number()) }.compactMap(\.self)
    }

    mutating func decodeSingularMessageField<M: SwiftProtobuf.Message>(value: inout M?) throws {
        // The command of a request is always there.
        if isCommand || random.isOne(of: 2) { value = try made() }
    }
    mutating func decodeRepeatedMessageField<M: SwiftProtobuf.Message>(value: inout [M]) throws {
        value = try several { try $0.made() }
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
