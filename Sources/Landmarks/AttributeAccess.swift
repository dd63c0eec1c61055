// SPDX-License-Identifier: Apache-2.0

/// Functions that get and set the value of an attribute.
///
/// They are functions instead of key paths, because every write goes through all attributes: reading these by key paths
/// took a sixteenth of the time of storage's event loop.
public struct AttributeAccess<Value>: Sendable {
    let get: @Sendable (borrowing Attributes) -> Value
    let set: @Sendable (inout Attributes, Value) -> Void
}

extension Attributes {
    public subscript<Value>(access: AttributeAccess<Value>) -> Value {
        get { access.get(self) }
        set { access.set(&self, newValue) }
    }
}
