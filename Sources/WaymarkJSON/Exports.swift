// SPDX-License-Identifier: Apache-2.0

// Files that print landmarks need ``JSONWriter``, and most of them its escaping too.
@_exported public import JSON
