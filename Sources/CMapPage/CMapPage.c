// SPDX-License-Identifier: Apache-2.0

#include "CMapPage.h"

// C23 has #embed; a compiler of today reads it in every C and warns that it is new.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Assets/index.html"
};
static const unsigned char page_css[] = {
#embed "Assets/page.css"
};
static const unsigned char page_js[] = {
#embed "Assets/page.js"
};

static const struct waymark_page_asset assets[] = {
    {"index.html", index_html, sizeof index_html},
    {"page.css", page_css, sizeof page_css},
    {"page.js", page_js, sizeof page_js},
    {NULL, NULL, 0},
};

const struct waymark_page_asset *waymark_page_assets(void) { return assets; }
