// SPDX-License-Identifier: Apache-2.0

// Whoever prints landmarks needs the writer, and most also what makes text harmless.
@_exported public import JSON
