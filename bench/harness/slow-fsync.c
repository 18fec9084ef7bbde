/* Loaded before libc: a disk that takes SLOW_FSYNC_US microseconds longer to make anything durable. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slow_down(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *us = getenv("SLOW_FSYNC_US");
  usleep(us ? (useconds_t)atoi(us) : 0);
  return real(file);
}

int fsync(int file) { return slow_down("fsync", file); }
int fdatasync(int file) { return slow_down("fdatasync", file); }
