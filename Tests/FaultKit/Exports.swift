// SPDX-License-Identifier: Apache-2.0

// Whoever uses a cluster or a proxy needs ports.
@_exported public import enum TestProcess.Ports
