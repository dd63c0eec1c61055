// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Shared libraries that are opened at the first call of one of their functions. Linked libraries cost each start of a
// program: the dynamic linker needs milliseconds for libcurl and libpq with the 36 libraries that they link.

/// Opens a library, and finds its functions by their names.
///
/// Returns NULL, or the reason why the library or one of the functions is missing.
const char *waymark_library_open(const char *file, const char *const *names, void **functions, size_t count);

/// Defines all functions of a list `LIST(F)` of F(type, name, parameters, arguments), and `problem`, which returns the
/// reason why the library cannot be used; NULL if it can. Each function passes its call on to the library; without the
/// library it does nothing, and returns 0 or NULL. Any thread may call them.
#define WAYMARK_LIBRARY(file, problem, LIST) \
    enum { LIST(WAYMARK_LIBRARY_INDEX) waymark_count }; \
    static const char *const waymark_names[] = {LIST(WAYMARK_LIBRARY_NAME)}; \
    static void *waymark_functions[waymark_count]; \
    static const char *waymark_reason; \
    static atomic_bool waymark_is_open; \
    static void waymark_open(void) { \
        waymark_reason = waymark_library_open(file, waymark_names, waymark_functions, waymark_count); \
        atomic_store_explicit(&waymark_is_open, !waymark_reason, memory_order_release); \
    } \
    const char *problem(void) { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, waymark_open); \
        return waymark_reason; \
    } \
    static inline bool waymark_is_ready(void) { \
        return atomic_load_explicit(&waymark_is_open, memory_order_acquire) || !problem(); \
    } \
    LIST(WAYMARK_LIBRARY_FUNCTION)

#define WAYMARK_LIBRARY_INDEX(type, name, parameters, arguments) waymark_at_##name,
#define WAYMARK_LIBRARY_NAME(type, name, parameters, arguments) #name,
#define WAYMARK_LIBRARY_FUNCTION(type, name, parameters, arguments) \
    type name parameters { \
        return waymark_is_ready() ? ((type(*) parameters)waymark_functions[waymark_at_##name])arguments : (type)0; \
    }
