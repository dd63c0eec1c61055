// SPDX-License-Identifier: Apache-2.0

#include "CGazetteer.h"

// #embed is from C23; present compilers accept it in every C, with a warning that it is new.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char gazetteer[] = {
#embed "gazetteer.bin"
};

const unsigned char *waymark_gazetteer(size_t *count) {
    *count = sizeof gazetteer;
    return gazetteer;
}
