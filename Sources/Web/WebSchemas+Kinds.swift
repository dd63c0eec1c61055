// SPDX-License-Identifier: Apache-2.0

extension WebSchemas {
    /// Of what the table of kinds answers: members of ``components``.
    static let kinds = """
        "Kinds":{"type":"object","required":["kinds"],"properties":{"kinds":{"type":"array","items":{"type":"object",\
        "required":["kind","label","synonyms","tags"],"properties":{"kind":{"type":"string"},"label":{"type":"string"},\
        "synonyms":{"type":"array","items":{"type":"string"}},"tags":{"type":"array","items":{"type":"string"}}}}}}}
        """
}
