// SPDX-License-Identifier: Apache-2.0

#ifndef WAYMARK_MAP_PAGE_H
#define WAYMARK_MAP_PAGE_H

#include <stddef.h>

/// A file of the page, inside the program.
struct waymark_page_asset {
    /// The path, such as "Assets/page.css".
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The files; an entry whose name is NULL ends the table.
const struct waymark_page_asset *waymark_page_assets(void);

#endif
