// SPDX-License-Identifier: Apache-2.0

#include "CLossyVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// What a path holds as this process sees it, shared by all who have it open.
typedef struct Shadow {
    struct Shadow *next;
    char *path;
    unsigned char *bytes;
    sqlite3_int64 size, room;
    // Ranges that the real file does not have yet, in order. A range of length -1: cut there.
    struct { sqlite3_int64 offset, length; } *pending;
    int count, pending_room, users;
} Shadow;

typedef struct {
    sqlite3_file base;
    Shadow *shadow;
    int is_wal;
    sqlite3_file real[];
} File;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs own_vfs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Shadow *shadows;
static int is_lossy, is_deaf, counts_writes, counts_syncs;
static long fail_from, fail_count, seen;
static int fail_code;

static File *file_of(sqlite3_file *file) { return (File *)file; }

// Whether this operation is to fail. With the lock held.
static int fails(int is_sync) {
    if (!fail_code || !(is_sync ? counts_syncs : counts_writes)) return 0;
    seen += 1;
    return seen >= fail_from && seen < fail_from + fail_count;
}

static int grow(Shadow *shadow, sqlite3_int64 size) {
    if (size > shadow->room) {
        sqlite3_int64 room = size * 2 + 65536;
        unsigned char *bytes = realloc(shadow->bytes, (size_t)room);
        if (!bytes) return SQLITE_NOMEM;
        shadow->bytes = bytes;
        shadow->room = room;
    }
    if (size > shadow->size) {
        memset(shadow->bytes + shadow->size, 0, (size_t)(size - shadow->size));
        shadow->size = size;
    }
    return SQLITE_OK;
}

static int note(Shadow *shadow, sqlite3_int64 offset, sqlite3_int64 length) {
    if (shadow->count == shadow->pending_room) {
        int room = shadow->pending_room * 2 + 64;
        void *pending = realloc(shadow->pending, (size_t)room * sizeof *shadow->pending);
        if (!pending) return SQLITE_NOMEM;
        shadow->pending = pending;
        shadow->pending_room = room;
    }
    shadow->pending[shadow->count].offset = offset;
    shadow->pending[shadow->count].length = length;
    shadow->count += 1;
    return SQLITE_OK;
}

static int load(Shadow *shadow, sqlite3_file *real) {
    sqlite3_int64 size = 0;
    int code = real->pMethods->xFileSize(real, &size);
    if (code == SQLITE_OK) code = grow(shadow, size);
    for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size; at += 1 << 20) {
        int length = size - at > 1 << 20 ? 1 << 20 : (int)(size - at);
        code = real->pMethods->xRead(real, shadow->bytes + at, length, at);
    }
    return code;
}

static int file_close(sqlite3_file *base) {
    File *file = file_of(base);
    pthread_mutex_lock(&lock);
    // A shadow stays when its last user goes: what was not flushed is still in the kernel's cache, for this process.
    if (file->shadow) file->shadow->users -= 1;
    pthread_mutex_unlock(&lock);
    return file->real->pMethods->xClose(file->real);
}

static int file_read(sqlite3_file *base, void *bytes, int length, sqlite3_int64 offset) {
    File *file = file_of(base);
    if (!file->shadow) return file->real->pMethods->xRead(file->real, bytes, length, offset);
    pthread_mutex_lock(&lock);
    sqlite3_int64 left = file->shadow->size - offset;
    int count = left <= 0 ? 0 : left < length ? (int)left : length;
    if (count > 0) memcpy(bytes, file->shadow->bytes + offset, (size_t)count);
    pthread_mutex_unlock(&lock);
    if (count == length) return SQLITE_OK;
    memset((char *)bytes + count, 0, (size_t)(length - count));
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *bytes, int length, sqlite3_int64 offset) {
    File *file = file_of(base);
    pthread_mutex_lock(&lock);
    int code = fails(0) ? fail_code : SQLITE_OK;
    if (code == SQLITE_OK && file->shadow) {
        code = grow(file->shadow, offset + length);
        if (code == SQLITE_OK) code = note(file->shadow, offset, length);
        if (code == SQLITE_OK) memcpy(file->shadow->bytes + offset, bytes, (size_t)length);
    }
    pthread_mutex_unlock(&lock);
    if (code != SQLITE_OK) return code == SQLITE_IOERR ? SQLITE_IOERR_WRITE : code;
    return file->shadow ? SQLITE_OK : file->real->pMethods->xWrite(file->real, bytes, length, offset);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    File *file = file_of(base);
    if (!file->shadow) return file->real->pMethods->xTruncate(file->real, size);
    pthread_mutex_lock(&lock);
    int code = note(file->shadow, size, -1);
    if (code == SQLITE_OK && size < file->shadow->size) file->shadow->size = size;
    pthread_mutex_unlock(&lock);
    return code;
}

// In order, so that a range that was cut off and written again is not lost.
static int flush(File *file) {
    Shadow *shadow = file->shadow;
    int code = SQLITE_OK;
    for (int index = 0; code == SQLITE_OK && index < shadow->count; index++) {
        sqlite3_int64 offset = shadow->pending[index].offset, length = shadow->pending[index].length;
        if (length < 0) {
            code = file->real->pMethods->xTruncate(file->real, offset);
            continue;
        }
        if (offset >= shadow->size) continue;
        if (offset + length > shadow->size) length = shadow->size - offset;
        code = file->real->pMethods->xWrite(file->real, shadow->bytes + offset, (int)length, offset);
    }
    if (code == SQLITE_OK) shadow->count = 0;
    return code;
}

static int file_sync(sqlite3_file *base, int flags) {
    File *file = file_of(base);
    pthread_mutex_lock(&lock);
    int code = fails(1) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
    if (code == SQLITE_OK && file->shadow && !(is_deaf && file->is_wal)) code = flush(file);
    pthread_mutex_unlock(&lock);
    // Whoever is killed loses nothing that the kernel has: the real flush would only take time.
    if (code != SQLITE_OK || file->shadow) return code;
    return file->real->pMethods->xSync(file->real, flags);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    File *file = file_of(base);
    if (!file->shadow) return file->real->pMethods->xFileSize(file->real, size);
    pthread_mutex_lock(&lock);
    *size = file->shadow->size;
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int file_lock(sqlite3_file *base, int level) {
    return file_of(base)->real->pMethods->xLock(file_of(base)->real, level);
}
static int file_unlock(sqlite3_file *base, int level) {
    return file_of(base)->real->pMethods->xUnlock(file_of(base)->real, level);
}
static int file_reserved(sqlite3_file *base, int *result) {
    return file_of(base)->real->pMethods->xCheckReservedLock(file_of(base)->real, result);
}
static int file_control(sqlite3_file *base, int operation, void *argument) {
    // It would tell the real file's size to be, or map it.
    if (is_lossy && (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_MMAP_SIZE)) {
        return SQLITE_NOTFOUND;
    }
    return file_of(base)->real->pMethods->xFileControl(file_of(base)->real, operation, argument);
}
static int file_sector(sqlite3_file *base) {
    return file_of(base)->real->pMethods->xSectorSize(file_of(base)->real);
}
static int file_traits(sqlite3_file *base) {
    return file_of(base)->real->pMethods->xDeviceCharacteristics(file_of(base)->real);
}
static int shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
    return file_of(base)->real->pMethods->xShmMap(file_of(base)->real, region, size, extend, memory);
}
static int shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    return file_of(base)->real->pMethods->xShmLock(file_of(base)->real, offset, count, flags);
}
static void shm_barrier(sqlite3_file *base) { file_of(base)->real->pMethods->xShmBarrier(file_of(base)->real); }
static int shm_unmap(sqlite3_file *base, int remove) {
    return file_of(base)->real->pMethods->xShmUnmap(file_of(base)->real, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = file_close, .xRead = file_read, .xWrite = file_write, .xTruncate = file_truncate,
    .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock, .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved, .xFileControl = file_control, .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits, .xShmMap = shm_map, .xShmLock = shm_lock, .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

static Shadow *find(const char *path) {
    for (Shadow *shadow = shadows; shadow; shadow = shadow->next) {
        if (strcmp(shadow->path, path) == 0) return shadow;
    }
    return NULL;
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out) {
    (void)vfs;
    File *file = file_of(base);
    memset(file, 0, sizeof *file);
    int code = real_vfs->xOpen(real_vfs, path, file->real, flags, out);
    if (code != SQLITE_OK) {
        if (file->real->pMethods) file->real->pMethods->xClose(file->real);
        return code;
    }
    file->is_wal = (flags & SQLITE_OPEN_WAL) != 0;
    int is_kept = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    if (is_lossy && path && is_kept) {
        pthread_mutex_lock(&lock);
        file->shadow = find(path);
        if (!file->shadow && (file->shadow = calloc(1, sizeof *file->shadow))) {
            file->shadow->path = strdup(path);
            file->shadow->next = shadows;
            shadows = file->shadow;
            code = load(file->shadow, file->real);
        }
        if (!file->shadow) code = SQLITE_NOMEM;
        if (file->shadow) file->shadow->users += 1;
        pthread_mutex_unlock(&lock);
    }
    if (code != SQLITE_OK) {
        file->real->pMethods->xClose(file->real);
        return code;
    }
    base->pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    Shadow *shadow = find(path);
    if (shadow) {
        shadow->size = 0;
        shadow->count = 0;
    }
    pthread_mutex_unlock(&lock);
    return real_vfs->xDelete(real_vfs, path, sync);
}

__attribute__((constructor)) static void begin(void) {
    const char *mode = getenv("WAYMARK_VFS");
    if (!mode || !*mode) return;
    is_deaf = strcmp(mode, "deaf") == 0;
    is_lossy = is_deaf || strcmp(mode, "lossy") == 0;
    counts_writes = counts_syncs = 1;
    if (strncmp(mode, "ioerr=", 6) == 0) {
        fail_code = SQLITE_IOERR;
        fail_from = atol(mode + 6);
        fail_count = 1;
        if (strstr(mode, ",sync")) counts_writes = 0;
        if (strstr(mode, ",write")) counts_syncs = 0;
    } else if (strncmp(mode, "full=", 5) == 0) {
        const char *count = strchr(mode, ':');
        fail_code = SQLITE_FULL;
        fail_from = atol(mode + 5);
        fail_count = count ? atol(count + 1) : 1;
        counts_syncs = 0;
    }
    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs) return;
    own_vfs = *real_vfs;
    own_vfs.pNext = NULL;
    own_vfs.zName = "waymark-lossy";
    own_vfs.szOsFile = (int)sizeof(File) + real_vfs->szOsFile;
    own_vfs.xOpen = vfs_open;
    own_vfs.xDelete = vfs_delete;
    sqlite3_vfs_register(&own_vfs, 1);
}
