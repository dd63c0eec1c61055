// SPDX-License-Identifier: Apache-2.0

#include "CMapPage.h"

// #embed is from C23; present compilers accept it in every C, with a warning that it is new.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_index_html[] = {
#embed "Assets/index.html"
};
static const unsigned char file_page_css[] = {
#embed "Assets/page.css"
};
static const unsigned char file_address_js[] = {
#embed "Assets/address.js"
};
static const unsigned char file_api_js[] = {
#embed "Assets/api.js"
};
static const unsigned char file_area_js[] = {
#embed "Assets/area.js"
};
static const unsigned char file_background_js[] = {
#embed "Assets/background.js"
};
static const unsigned char file_conflict_js[] = {
#embed "Assets/conflict.js"
};
static const unsigned char file_converter_js[] = {
#embed "Assets/converter.js"
};
static const unsigned char file_detail_js[] = {
#embed "Assets/detail.js"
};
static const unsigned char file_dialog_js[] = {
#embed "Assets/dialog.js"
};
static const unsigned char file_dom_js[] = {
#embed "Assets/dom.js"
};
static const unsigned char file_drag_js[] = {
#embed "Assets/drag.js"
};
static const unsigned char file_edits_js[] = {
#embed "Assets/edits.js"
};
static const unsigned char file_editor_js[] = {
#embed "Assets/editor.js"
};
static const unsigned char file_feed_js[] = {
#embed "Assets/feed.js"
};
static const unsigned char file_filters_js[] = {
#embed "Assets/filters.js"
};
static const unsigned char file_form_js[] = {
#embed "Assets/form.js"
};
static const unsigned char file_history_js[] = {
#embed "Assets/history.js"
};
static const unsigned char file_kinds_js[] = {
#embed "Assets/kinds.js"
};
static const unsigned char file_land_js[] = {
#embed "Assets/land.js"
};
static const unsigned char file_landlayer_js[] = {
#embed "Assets/landlayer.js"
};
static const unsigned char file_layer_js[] = {
#embed "Assets/layer.js"
};
static const unsigned char file_list_js[] = {
#embed "Assets/list.js"
};
static const unsigned char file_mercator_js[] = {
#embed "Assets/mercator.js"
};
static const unsigned char file_live_js[] = {
#embed "Assets/live.js"
};
static const unsigned char file_measure_js[] = {
#embed "Assets/measure.js"
};
static const unsigned char file_notice_js[] = {
#embed "Assets/notice.js"
};
static const unsigned char file_offline_js[] = {
#embed "Assets/offline.js"
};
static const unsigned char file_sw_js[] = {
#embed "Assets/sw.js"
};
static const unsigned char file_page_js[] = {
#embed "Assets/page.js"
};
static const unsigned char file_person_js[] = {
#embed "Assets/person.js"
};
static const unsigned char file_pointlayer_js[] = {
#embed "Assets/pointlayer.js"
};
static const unsigned char file_position_js[] = {
#embed "Assets/position.js"
};
static const unsigned char file_refusals_js[] = {
#embed "Assets/refusals.js"
};
static const unsigned char file_search_js[] = {
#embed "Assets/search.js"
};
static const unsigned char file_session_js[] = {
#embed "Assets/session.js"
};
static const unsigned char file_rows_js[] = {
#embed "Assets/rows.js"
};
static const unsigned char file_sheet_js[] = {
#embed "Assets/sheet.js"
};
static const unsigned char file_settings_js[] = {
#embed "Assets/settings.js"
};
static const unsigned char file_saved_js[] = {
#embed "Assets/saved.js"
};
static const unsigned char file_state_js[] = {
#embed "Assets/state.js"
};
static const unsigned char file_store_js[] = {
#embed "Assets/store.js"
};
static const unsigned char file_stream_js[] = {
#embed "Assets/stream.js"
};
static const unsigned char file_tile_js[] = {
#embed "Assets/tile.js"
};
static const unsigned char file_tilebytes_js[] = {
#embed "Assets/tilebytes.js"
};
static const unsigned char file_tiles_js[] = {
#embed "Assets/tiles.js"
};
static const unsigned char file_track_js[] = {
#embed "Assets/track.js"
};
static const unsigned char file_clusters_js[] = {
#embed "Assets/clusters.js"
};
static const unsigned char file_glyphs_js[] = {
#embed "Assets/glyphs.js"
};
static const unsigned char file_labels_js[] = {
#embed "Assets/labels.js"
};
static const unsigned char file_overlay_js[] = {
#embed "Assets/overlay.js"
};
static const unsigned char file_task_js[] = {
#embed "Assets/task.js"
};
static const unsigned char file_towns_js[] = {
#embed "Assets/towns.js"
};
static const unsigned char file_words_js[] = {
#embed "Assets/words.js"
};
static const unsigned char file_favicon_svg[] = {
#embed "Assets/favicon.svg"
};
static const unsigned char file_land_110m_bin[] = {
#embed "Assets/land/110m.bin"
};
static const unsigned char file_land_50m_bin[] = {
#embed "Assets/land/50m.bin"
};
static const unsigned char file_land_10m_bin[] = {
#embed "Assets/land/10m.bin"
};

static const unsigned char file_land_sydney_bin[] = {
#embed "Assets/land/sydney.bin"
};

static const struct waymark_page_asset assets[] = {
    {"index.html", file_index_html, sizeof file_index_html},
    {"page.css", file_page_css, sizeof file_page_css},
    {"address.js", file_address_js, sizeof file_address_js},
    {"api.js", file_api_js, sizeof file_api_js},
    {"area.js", file_area_js, sizeof file_area_js},
    {"background.js", file_background_js, sizeof file_background_js},
    {"conflict.js", file_conflict_js, sizeof file_conflict_js},
    {"converter.js", file_converter_js, sizeof file_converter_js},
    {"detail.js", file_detail_js, sizeof file_detail_js},
    {"dialog.js", file_dialog_js, sizeof file_dialog_js},
    {"dom.js", file_dom_js, sizeof file_dom_js},
    {"drag.js", file_drag_js, sizeof file_drag_js},
    {"edits.js", file_edits_js, sizeof file_edits_js},
    {"editor.js", file_editor_js, sizeof file_editor_js},
    {"feed.js", file_feed_js, sizeof file_feed_js},
    {"filters.js", file_filters_js, sizeof file_filters_js},
    {"form.js", file_form_js, sizeof file_form_js},
    {"history.js", file_history_js, sizeof file_history_js},
    {"kinds.js", file_kinds_js, sizeof file_kinds_js},
    {"land.js", file_land_js, sizeof file_land_js},
    {"landlayer.js", file_landlayer_js, sizeof file_landlayer_js},
    {"layer.js", file_layer_js, sizeof file_layer_js},
    {"list.js", file_list_js, sizeof file_list_js},
    {"mercator.js", file_mercator_js, sizeof file_mercator_js},
    {"live.js", file_live_js, sizeof file_live_js},
    {"measure.js", file_measure_js, sizeof file_measure_js},
    {"notice.js", file_notice_js, sizeof file_notice_js},
    {"offline.js", file_offline_js, sizeof file_offline_js},
    {"sw.js", file_sw_js, sizeof file_sw_js},
    {"page.js", file_page_js, sizeof file_page_js},
    {"person.js", file_person_js, sizeof file_person_js},
    {"pointlayer.js", file_pointlayer_js, sizeof file_pointlayer_js},
    {"position.js", file_position_js, sizeof file_position_js},
    {"refusals.js", file_refusals_js, sizeof file_refusals_js},
    {"search.js", file_search_js, sizeof file_search_js},
    {"session.js", file_session_js, sizeof file_session_js},
    {"rows.js", file_rows_js, sizeof file_rows_js},
    {"sheet.js", file_sheet_js, sizeof file_sheet_js},
    {"settings.js", file_settings_js, sizeof file_settings_js},
    {"saved.js", file_saved_js, sizeof file_saved_js},
    {"state.js", file_state_js, sizeof file_state_js},
    {"store.js", file_store_js, sizeof file_store_js},
    {"stream.js", file_stream_js, sizeof file_stream_js},
    {"tile.js", file_tile_js, sizeof file_tile_js},
    {"tilebytes.js", file_tilebytes_js, sizeof file_tilebytes_js},
    {"tiles.js", file_tiles_js, sizeof file_tiles_js},
    {"track.js", file_track_js, sizeof file_track_js},
    {"clusters.js", file_clusters_js, sizeof file_clusters_js},
    {"glyphs.js", file_glyphs_js, sizeof file_glyphs_js},
    {"labels.js", file_labels_js, sizeof file_labels_js},
    {"overlay.js", file_overlay_js, sizeof file_overlay_js},
    {"task.js", file_task_js, sizeof file_task_js},
    {"towns.js", file_towns_js, sizeof file_towns_js},
    {"words.js", file_words_js, sizeof file_words_js},
    {"favicon.svg", file_favicon_svg, sizeof file_favicon_svg},
    {"land/110m.bin", file_land_110m_bin, sizeof file_land_110m_bin},
    {"land/50m.bin", file_land_50m_bin, sizeof file_land_50m_bin},
    {"land/10m.bin", file_land_10m_bin, sizeof file_land_10m_bin},
    {"land/sydney.bin", file_land_sydney_bin, sizeof file_land_sydney_bin},
    {NULL, NULL, 0},
};

const struct waymark_page_asset *waymark_page_assets(void) { return assets; }
