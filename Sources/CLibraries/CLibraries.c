// SPDX-License-Identifier: Apache-2.0
#include "CLibraries.h"

#include <dlfcn.h>
#include <string.h>

const char *waymark_library_open(const char *file, const char *const *names, void **functions, size_t count) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    for (size_t index = 0; library && index < count; index++) {
        functions[index] = dlsym(library, names[index]);
        if (!functions[index]) library = NULL;
    }
    if (library) return NULL;
    // The text is valid only until the next call of the dynamic linker on this thread.
    const char *error = dlerror(), *copy = error ? strdup(error) : NULL;
    return copy ? copy : file;
}
