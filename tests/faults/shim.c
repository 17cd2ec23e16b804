/* Lets file operations below a folder fail, or tells them one by one; cuts messages to a server;
 * puts the clock wrong. Loaded by LD_PRELOAD.
 *
 * fault_arm says where, and which operation fails how; fault_count says how many there were.
 * fault_record opens a file of all of them, which tests/faults/power_cut.py reads.
 * fault_message calls back at one of the messages that go out through a socket.
 * A process with FAULT_CONTROL, and its children, obey the file that it names (shim.py, Control).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { ONCE, FROM_THEN_ON, SHORT, KILLED };

struct control {
    int64_t failing_at, seen, failing_with, manner;
    int64_t wrong_by; /* seconds that the clock is ahead */
    char folder[4096];
};
static struct control own, *control = &own;
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

void fault_arm(const char *where, long at, int error, int how) {
    snprintf(control->folder, sizeof control->folder, "%s", where);
    control->failing_at = at; control->failing_with = error; control->manner = how;
    control->seen = 0;
}

long fault_count(void) { return control->seen; }

__attribute__((constructor)) static void obey(void) {
    const char *name = getenv("FAULT_CONTROL");
    if (!name) return;
    int fd = open(name, O_RDWR);
    void *shared = mmap(0, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED) abort();
    control = shared;
    close(fd);
}

static int below(const char *path) {
    size_t length = strlen(control->folder);
    return length && !strncmp(path, control->folder, length);
}

static int named(int fd, char *path, size_t room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, room - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

static void absolute(int at, const char *path, char *full, size_t room) {
    if (*path == '/') { snprintf(full, room, "%s", path); return; }
    char here[3000] = "";
    if (at == AT_FDCWD) { if (!getcwd(here, sizeof here)) here[0] = 0; }
    else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, here, sizeof here - 1);
        here[length < 0 ? 0 : length] = 0;
    }
    snprintf(full, room, "%.2900s/%.1100s", here, path);
}

/* Counts an operation. Returns 0: do it; 1: it fails; 2: half of it is done. */
static int verdict(void) {
    int64_t number = __atomic_add_fetch(&control->seen, 1, __ATOMIC_SEQ_CST);
    int64_t at = control->failing_at, manner = control->manner;
    if (!at || number < at) return 0;
    if (number > at) return manner == FROM_THEN_ON || manner == SHORT;
    if (manner == KILLED) kill(getpid(), SIGKILL);
    return manner == SHORT ? 2 : 1;
}

static void told(char what, const char *path, uint64_t offset, const void *data, uint32_t length) {
    if (record < 0) return;
    REAL(write);
    uint16_t named_length = (uint16_t)strlen(path);
    uint32_t total = 1 + 2 + 8 + 4 + named_length + length;
    char *line = malloc(total), *end = line;
    *end++ = what;
    memcpy(end, &named_length, 2); end += 2;
    memcpy(end, &offset, 8); end += 8;
    memcpy(end, &length, 4); end += 4;
    memcpy(end, path, named_length); end += named_length;
    if (length) memcpy(end, data, length);
    pthread_mutex_lock(&lock);
    if (real(record, line, total) != (ssize_t)total) abort();
    pthread_mutex_unlock(&lock);
    free(line);
}

void fault_record(const char *file) { record = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600); }
void fault_mark(const char *text) { told('m', "", 0, text, (uint32_t)strlen(text)); }

/* Writes: half of one, where it is short and can be. */
#define WRITTEN(call, half, offset) \
    char path[4096]; \
    if (!named(fd, path, sizeof path)) return call; \
    int how = verdict(); \
    if (how == 1 || (how == 2 && length < 2)) { errno = (int)control->failing_with; return -1; } \
    if (how == 2) return half; \
    uint64_t where = (uint64_t)(offset); \
    ssize_t done = call; \
    if (done > 0) told('w', path, where, data, (uint32_t)done); \
    return done

ssize_t write(int fd, const void *data, size_t length) {
    REAL(write);
    if (fd == record) return real(fd, data, length);
    WRITTEN(real(fd, data, length), real(fd, data, length / 2), lseek(fd, 0, SEEK_CUR));
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    REAL(pwrite);
    WRITTEN(real(fd, data, length, at), real(fd, data, length / 2, at), at);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
    REAL(pwrite64);
    WRITTEN(real(fd, data, length, at), real(fd, data, length / 2, at), at);
}

/* Whatever else takes an open file. */
#define ON_FILE(call, what, offset) \
    char path[4096]; \
    if (!named(fd, path, sizeof path)) return call; \
    if (verdict()) { errno = (int)control->failing_with; return -1; } \
    int done = call; \
    if (!done) told(what, path, (uint64_t)(offset), 0, 0); \
    return done

int fsync(int fd) { REAL(fsync); ON_FILE(real(fd), 's', 0); }
int fdatasync(int fd) { REAL(fdatasync); ON_FILE(real(fd), 's', 0); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); ON_FILE(real(fd, size), 't', size); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); ON_FILE(real(fd, size), 't', size); }

ssize_t sendfile64(int fd, int from, off64_t *at, size_t length) {
    static ssize_t (*real)(int, int, off64_t *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "sendfile64");
    char path[4096];
    if (named(fd, path, sizeof path) && verdict()) { errno = (int)control->failing_with; return -1; }
    return real(fd, from, at, length);
}
ssize_t sendfile(int fd, int from, off_t *at, size_t length) {
    return sendfile64(fd, from, (off64_t *)at, length);
}

/* What changes folders. */
static int renamed(int old_at, const char *old, int new_at, const char *new) {
    REAL(renameat);
    char before[4200], after[4200];
    absolute(old_at, old, before, sizeof before);
    absolute(new_at, new, after, sizeof after);
    if (!below(after)) return real(old_at, old, new_at, new);
    if (verdict()) { errno = (int)control->failing_with; return -1; }
    int done = real(old_at, old, new_at, new);
    if (!done) told('r', before, 0, after, (uint32_t)strlen(after));
    return done;
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new); }
int renameat(int a, const char *old, int b, const char *new) { return renamed(a, old, b, new); }

static int removed(int at, const char *path, int flags) {
    REAL(unlinkat);
    char full[4200];
    absolute(at, path, full, sizeof full);
    int done = real(at, path, flags);
    if (!done && below(full)) told('u', full, 0, 0, 0);
    return done;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    char full[4200];
    absolute(AT_FDCWD, path, full, sizeof full);
    if (below(full) && verdict()) { errno = (int)control->failing_with; return -1; }
    return real(path, mode);
}

/* Files that are made. */
static int made(int at, const char *path, int flags, mode_t mode) {
    static int (*real)(int, const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "openat64");
    if (!(flags & O_CREAT)) return real(at, path, flags, mode);
    char full[4200];
    struct stat there;
    absolute(at, path, full, sizeof full);
    if (!below(full) || !fstatat(at, path, &there, 0)) return real(at, path, flags, mode);
    if (verdict()) { errno = (int)control->failing_with; return -1; }
    int done = real(at, path, flags, mode);
    if (done >= 0) told('c', full, 0, 0, 0);
    return done;
}
#define MODE va_list more; va_start(more, flags); \
    mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0; va_end(more)
int open(const char *path, int flags, ...) { MODE; return made(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE; return made(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE; return made(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE; return made(at, path, flags, mode); }

/* Messages to a server: at one of them Python is called, before it goes out, when the answer has
 * come, or when that was thrown away unread. */
enum { BEFORE, ANSWERED, UNHEARD };
static const int patience = 300; /* milliseconds; some messages have no answer */
static void (*at_message)(int fd);
static long messages, message_at;
static int moment;

void fault_message(long at, int when, void (*call)(int fd)) {
    messages = 0; message_at = at; moment = when; at_message = call;
}
long fault_messages(void) { return messages; }

ssize_t send(int fd, const void *data, size_t length, int flags) {
    REAL(send);
    if (!at_message || ++messages != message_at) return real(fd, data, length, flags);
    if (moment == BEFORE) { at_message(fd); return real(fd, data, length, flags); }
    ssize_t done = real(fd, data, length, flags);
    struct pollfd answer = {fd, POLLIN, 0};
    char unread[4096];
    poll(&answer, 1, patience);
    if (moment == UNHEARD) while (recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0) {}
    at_message(fd);
    return done;
}

/* The time of day. */
int clock_gettime(clockid_t clock, struct timespec *told) {
    REAL(clock_gettime);
    int done = real(clock, told);
    if (!done && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        told->tv_sec += control->wrong_by;
    return done;
}
int gettimeofday(struct timeval *restrict told, void *restrict zone) {
    REAL(gettimeofday);
    int done = real(told, zone);
    if (!done) told->tv_sec += control->wrong_by;
    return done;
}
time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}
