// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <postgresql/libpq-fe.h>

/// The reason why libpq cannot be used; NULL if it can. Opens libpq at the first call, as each function of libpq does.
const char *waymark_libpq_problem(void);
