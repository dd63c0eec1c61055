// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <stdarg.h>

#include "CLibraries.h"

// The only argument after `last`. All that libcurl takes there have the size of a pointer on 64-bit Linux, and are
// passed alike.
#define REST(last) \
    ({ \
        va_list list; \
        va_start(list, last); \
        void *rest = va_arg(list, void *); \
        va_end(list); \
        rest; \
    })

// The functions of libcurl that the target Ingest calls.
#define FUNCTIONS(F) \
    F(CURLcode, curl_global_init, (long flags), (flags)) F(CURL *, curl_easy_init, (void), ()) \
    F(void, curl_easy_cleanup, (CURL *e), (e)) F(const char *, curl_easy_strerror, (CURLcode code), (code)) \
    F(CURLcode, curl_easy_setopt, (CURL *e, CURLoption option, ...), (e, option, REST(option))) \
    F(CURLcode, curl_easy_getinfo, (CURL *e, CURLINFO info, ...), (e, info, REST(info))) \
    F(CURLHcode, curl_easy_header, (CURL *e, const char *name, size_t index, unsigned origin, int request, \
        struct curl_header **header), (e, name, index, origin, request, header)) \
    F(CURLM *, curl_multi_init, (void), ()) F(CURLMcode, curl_multi_cleanup, (CURLM *m), (m)) \
    F(CURLMcode, curl_multi_wakeup, (CURLM *m), (m)) F(CURLMcode, curl_multi_add_handle, (CURLM *m, CURL *e), (m, e)) \
    F(CURLMcode, curl_multi_remove_handle, (CURLM *m, CURL *e), (m, e)) \
    F(CURLMcode, curl_multi_perform, (CURLM *m, int *running), (m, running)) \
    F(CURLMcode, curl_multi_poll, (CURLM *m, struct curl_waitfd *more, unsigned count, int milliseconds, int *ready), \
        (m, more, count, milliseconds, ready)) \
    F(CURLMsg *, curl_multi_info_read, (CURLM *m, int *left), (m, left)) \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text)) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list)) \
    F(time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused))

WAYMARK_LIBRARY("libcurl.so.4", waymark_curl_problem, FUNCTIONS)
