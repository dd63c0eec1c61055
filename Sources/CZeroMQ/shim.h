// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/epoll.h>  // Swift's Glibc module leaves these three out.
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <zmq.h>

/// The calling thread's number. This is a call, and must stay one: glibc declares pthread_self() `const`, so an
/// optimiser may keep its value across an `await`. Each thread asks the system once, because a loop asks whenever a job
/// is handed to an actor on it.
static __attribute__((noinline)) int waymark_gettid(void) {
    extern int gettid(void);
    static __thread int known;
    if (known == 0) known = gettid();
    return known;
}

/// Names the calling thread, for debuggers and monitors. glibc declares the function only for _GNU_SOURCE, which Swift
/// does not set; names longer than 15 bytes are refused.
static inline void waymark_name_thread(const char *name) {
    extern int pthread_setname_np(unsigned long, const char *);
    extern unsigned long pthread_self(void);
    pthread_setname_np(pthread_self(), name);
}
