// SPDX-License-Identifier: Apache-2.0

#include "CGazetteer.h"

// C23 has #embed; a compiler of today reads it in every C and warns that it is new.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char gazetteer[] = {
#embed "gazetteer.bin"
};

const unsigned char *waymark_gazetteer(size_t *count) {
    *count = sizeof gazetteer;
    return gazetteer;
}
