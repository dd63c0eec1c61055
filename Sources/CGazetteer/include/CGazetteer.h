// SPDX-License-Identifier: Apache-2.0

#ifndef WAYMARK_GAZETTEER_H
#define WAYMARK_GAZETTEER_H

#include <stddef.h>

/// The gazetteer inside the program: places of GeoNames (CC BY 4.0), as Tests/waymark-gazetteer makes it.
const unsigned char *waymark_gazetteer(size_t *count);

#endif
