/* Makes one operation on a file below FAULT_DIR fail: the one with number FAULT_AT, with error FAULT_ERRNO.
   At the end, the number of operations is written to the file FAULT_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int operations;

static int fails(const char *path) {
    const char *directory = getenv("FAULT_DIR"), *at = getenv("FAULT_AT");
    if (!directory || !at || !path || strncmp(path, directory, strlen(directory)) != 0) return 0;
    if (operations++ != atoi(at)) return 0;
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

static int fd_fails(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlink, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(path);
}

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list list; \
        va_start(list, flags); \
        int mode = flags & O_CREAT ? va_arg(list, int) : 0; \
        va_end(list); \
        return fails(path) ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    return fd_fails(fd) ? -1 : real(fd, bytes, count);
}

ssize_t read(int fd, void *bytes, size_t count) {
    REAL(ssize_t, read, int, void *, size_t);
    return fd_fails(fd) ? -1 : real(fd, bytes, count);
}

#define ON_FD(name) \
    int name(int fd) { \
        REAL(int, name, int); \
        return fd_fails(fd) ? -1 : real(fd); \
    }
ON_FD(fsync)
ON_FD(fdatasync)

int flock(int fd, int operation) {
    REAL(int, flock, int, int);
    return fd_fails(fd) ? -1 : real(fd, operation);
}

int fchmod(int fd, mode_t mode) {
    REAL(int, fchmod, int, mode_t);
    return fd_fails(fd) ? -1 : real(fd, mode);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return fails(to) ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    return fails(path) ? -1 : real(path);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    return fails(to) ? -1 : real(a, from, b, to, flags);
}

__attribute__((destructor)) static void finish(void) {
    char text[32];
    const char *path = getenv("FAULT_COUNT");
    int fd = path ? syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd >= 0) syscall(SYS_write, fd, text, snprintf(text, sizeof text, "%d", operations));
}
