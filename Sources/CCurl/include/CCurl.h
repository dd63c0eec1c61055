// SPDX-License-Identifier: Apache-2.0
#pragma once
#define CURL_DISABLE_TYPECHECK  // The checks are macros, which Swift does not see.
#include <curl/curl.h>

/// The reason why libcurl cannot be used; NULL if it can. Opens libcurl at the first call, as each function of libcurl
/// does.
const char *waymark_curl_problem(void);

// curl_easy_setopt and curl_easy_getinfo are variadic, and cannot be called from Swift: one function for each type.

static inline CURLcode waymark_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text.
static inline CURLcode waymark_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The memory behind the pointer must stay valid until the transfer is over.
static inline CURLcode waymark_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode waymark_curl_set_sink(
    CURL *handle, CURLoption option, size_t (*sink)(char *bytes, size_t size, size_t count, void *context)) {
    return curl_easy_setopt(handle, option, sink);
}

static inline CURLcode waymark_curl_set_opener(
    CURL *handle, curl_socket_t (*opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address)) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}

/// A pointer into the structure: the address may be longer than it, so a copy would be cut short.
static inline const struct sockaddr *waymark_curl_peer(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// A number about the transfer; 0 if libcurl does not know it.
static inline long waymark_curl_number(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
