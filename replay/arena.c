/* Reserved address space: a margin, the places with gaps between them, a margin; and handlers of faults in it and of
 * crashes. */
#include "replay/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

#define PAGE ((size_t)4096)
#define CHUNK ((size_t)65536)      /* pages that are touched together, mostly */
#define MARGIN ((size_t)256 << 30) /* an index of 32 bits and elements of 64 bytes */
#define GAP \
  (((size_t)1 << 30) + ((size_t)3 << 16)) /* not a power of two, so that strides hardly go from place to place */
#define MOST ((size_t)16 << 40)           /* of the 128 TiB that a process has */

typedef struct place {
  size_t offset, size;
} place;

struct arena {
  unsigned char *base;
  size_t size;
  place *places; /* in rising order */
  size_t count;
};

/* False: they do not fit. */
static bool lay_out(arena *a, const size_t *sizes) {
  a->size = MARGIN;
  for (size_t i = 0; i < a->count; i++) {
    if (sizes[i] > MOST || a->size > MOST) return false;
    a->places[i] = (place){a->size, (sizes[i] + PAGE - 1) / PAGE * PAGE};
    a->size += a->places[i].size + GAP;
  }
  a->size += MARGIN;
  return a->size <= MOST;
}

arena *arena_open(const size_t *sizes, size_t count) {
  arena *a = mem_calloc(1, sizeof *a);
  a->places = mem_calloc(count + 1, sizeof *a->places);
  a->count = count;
  void *base = MAP_FAILED;
  if (lay_out(a, sizes)) base = mmap(NULL, a->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    free(a->places);
    free(a);
    return NULL;
  }
  a->base = base;
  return a;
}

void arena_close(arena *a) {
  if (a == NULL) return;
  (void)munmap(a->base, a->size);
  free(a->places);
  free(a);
}

unsigned char *arena_place(arena *a, size_t number) {
  const place *p = &a->places[number];
  unsigned char *at = a->base + p->offset;
  return p->size > 0 && mprotect(at, p->size, PROT_READ | PROT_WRITE) == 0 ? at : NULL;
}

/* The number of places that begin at or before an offset. */
static size_t places_before(const arena *a, size_t offset) {
  size_t low = 0, high = a->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (a->places[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void *arena_pages(const arena *a, uintptr_t address, size_t *size) {
  const size_t offset = address - (uintptr_t)a->base, behind = places_before(a, offset);
  const size_t begin = offset / CHUNK * CHUNK;
  const size_t least = behind > 0 ? a->places[behind - 1].offset + a->places[behind - 1].size : 0;
  const size_t most = behind < a->count ? a->places[behind].offset : a->size;
  if (begin >= least && begin + CHUNK <= most) {
    *size = CHUNK;
    return a->base + begin;
  }
  *size = PAGE;
  return a->base + offset / PAGE * PAGE;
}

arena_area arena_find(const arena *a, uintptr_t address) {
  if (a == NULL || address < (uintptr_t)a->base || address - (uintptr_t)a->base >= a->size) return ARENA_ELSEWHERE;
  const size_t offset = address - (uintptr_t)a->base, behind = places_before(a, offset);
  const place *before = behind > 0 ? &a->places[behind - 1] : NULL;
  const bool near = (before != NULL && offset < before->offset + before->size + ARENA_NEARNESS) ||
                    (behind < a->count && a->places[behind].offset - offset <= ARENA_NEARNESS);
  return near ? ARENA_NEAR : ARENA_FAR;
}

/* A handler that may only write: everything is made ready before. */

enum { LINE = 512, NAME = 200 };

static const struct {
  int number;
  const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

static char crash_line[LINE]; /* what is said after the signal's name */
static unsigned long launches;

static void write_text(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void on_crash(int number) {
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    if (signals[i].number == number) {
      write_text("cltestcheck-replay: the device crashed (");
      write_text(signals[i].name);
      write_text(crash_line);
    }
  }
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

void crash_watch(void) {
  struct sigaction action = {.sa_handler = on_crash};
  (void)sigemptyset(&action.sa_mask);
  (void)snprintf(crash_line, sizeof crash_line, ") before the first launch\n");
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) (void)sigaction(signals[i].number, &action, NULL);
}

void crash_turn(void) { launches = 0; }

void crash_launch(const char *kernel) {
  (void)snprintf(crash_line, sizeof crash_line, ") in launch %lu (kernel %.*s) or one shortly before it\n", launches++,
                 NAME, kernel);
}

/* SIGSEGV at an address where nothing is mapped, or nothing may be touched. */

#define LEAST_ADDRESS ((uintptr_t)65536) /* below, a pointer is null */

enum { MOST_LOANS = 4096, MOST_FAULTS = 100000 }; /* beyond these the process ends as any other */

/* Memory that was lent. */
typedef struct loan {
  void *address;
  size_t size;
  bool reserved;         /* it was there, but not to be touched */
  unsigned char holding; /* each of its bytes, when it was lent */
} loan;

static loan loans[MOST_LOANS];
static atomic_uint loan_count, fault_count;
static atomic_bool near_faults, far_faults, foreign_faults;
static atomic_flag lending = ATOMIC_FLAG_INIT; /* one thread at a time lends of the arena */
static const arena *own;
static unsigned char own_filling;
static struct sigaction before;

static void note_loan(uintptr_t address, size_t size, bool reserved, unsigned char holding) {
  const unsigned index = atomic_fetch_add(&loan_count, 1);
  if (index < MOST_LOANS) loans[index] = (loan){(void *)address, size, reserved, holding};
}

static bool is_lent(const void *address) {
  const unsigned count = atomic_load(&loan_count);
  for (unsigned i = count < MOST_LOANS ? count : MOST_LOANS; i > 0; i--)
    if (loans[i - 1].address == address) return true;
  return false;
}

/* Whether there is memory now; another thread may have been first. */
static bool lend(uintptr_t address, size_t size) {
  const uintptr_t begin = address / size * size;
  if (begin < LEAST_ADDRESS) return false;
  void *made = mmap((void *)begin, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (made == MAP_FAILED) return size == PAGE && errno == EEXIST;
  note_loan(begin, size, false, 0);
  return true;
}

/* The next line of /proc/self/maps begins "begin-end perms"; only calls that signal handlers may make. */
static uintptr_t read_hex(const char **at) {
  uintptr_t value = 0;
  for (;; (*at)++) {
    const char c = **at;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value << 4 | (uintptr_t)digit;
  }
}

typedef enum access_kind { ACCESS_UNKNOWN, ACCESS_RESERVED, ACCESS_WRITABLE, ACCESS_OTHER } access_kind;

/* What a line says of the address: reserved and nobody's yet, to be written, or something else. */
static access_kind line_access(const char *line, uintptr_t address) {
  const uintptr_t begin = read_hex(&line);
  line++;
  const uintptr_t end = read_hex(&line);
  if (address < begin || address >= end) return ACCESS_UNKNOWN;
  return strncmp(line, " ---p", 5) == 0   ? ACCESS_RESERVED
         : strncmp(line, " rw-p", 5) == 0 ? ACCESS_WRITABLE
                                          : ACCESS_OTHER;
}

static access_kind access_to(uintptr_t address) {
  char text[4096 + 1];
  size_t held = 0;
  access_kind found = ACCESS_UNKNOWN;
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t n; fd >= 0 && found == ACCESS_UNKNOWN && (n = read(fd, text + held, sizeof text - 1 - held)) > 0;) {
    held += (size_t)n;
    text[held] = '\0';
    char *line = text;
    for (char *end; found == ACCESS_UNKNOWN && (end = strchr(line, '\n')) != NULL; line = end + 1)
      found = line_access(line, address);
    held = (size_t)(text + held - line);
    memmove(text, line, held);
  }
  if (fd >= 0) (void)close(fd);
  return found;
}

/* Another thread may have been first here, too. */
static bool open_up(uintptr_t address) {
  const uintptr_t begin = address / PAGE * PAGE;
  const access_kind now = access_to(address);
  if (now != ACCESS_RESERVED) return now == ACCESS_WRITABLE;
  note_loan(begin, PAGE, true, 0);
  return mprotect((void *)begin, PAGE, PROT_READ | PROT_WRITE) == 0;
}

/* Pages that hold the byte already come where there were none, so that no thread finds anything else there. */
static bool put_pages(void *at, size_t size, unsigned char holding) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return false;
  if (holding != 0) memset(pages, holding, size);
  if (mremap(pages, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
    (void)munmap(pages, size);
    return false;
  }
  note_loan((uintptr_t)at, size, true, holding);
  return true;
}

/* The handler may be entered by several threads at a time. */
static bool lend_own(uintptr_t address, bool near) {
  size_t size = 0;
  void *begin = arena_pages(own, address, &size);
  while (atomic_flag_test_and_set(&lending)) {
  }
  const bool lent = is_lent(begin) || put_pages(begin, size, near ? own_filling : 0);
  atomic_flag_clear(&lending);
  return lent;
}

static bool mend(uintptr_t address, int code) {
  const arena_area area = arena_find(own, address);
  atomic_store(area == ARENA_NEAR ? &near_faults : &far_faults, true);
  if (area != ARENA_ELSEWHERE) return lend_own(address, area == ARENA_NEAR);
  atomic_store(&foreign_faults, true);
  return (code == SEGV_MAPERR && (lend(address, CHUNK) || lend(address, PAGE))) ||
         (code == SEGV_ACCERR && open_up(address));
}

/* The instruction is tried once more on return. */
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  const int saved = errno;
  const bool bounded = atomic_fetch_add(&fault_count, 1) < MOST_FAULTS && atomic_load(&loan_count) < MOST_LOANS;
  if (!bounded || !mend((uintptr_t)info->si_addr, info->si_code))
    (void)sigaction(number, &before, NULL); /* what would have been done with it */
  errno = saved;
}

void faults_begin(const arena *a, unsigned char filling) {
  struct sigaction mending = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  (void)sigemptyset(&mending.sa_mask);
  own = a;
  own_filling = filling;
  atomic_store(&loan_count, 0);
  atomic_store(&fault_count, 0);
  atomic_store(&near_faults, false);
  atomic_store(&far_faults, false);
  atomic_store(&foreign_faults, false);
  (void)sigaction(SIGSEGV, &mending, &before);
}

static bool is_changed(const loan *l) {
  const unsigned char *bytes = l->address;
  return bytes[0] != l->holding || memcmp(bytes, bytes + 1, l->size - 1) != 0;
}

faults faults_end(void) {
  bool written = false;
  (void)sigaction(SIGSEGV, &before, NULL);
  const unsigned count = atomic_exchange(&loan_count, 0);
  for (unsigned i = 0; i < count && i < MOST_LOANS; i++) {
    written = written || is_changed(&loans[i]);
    if (loans[i].reserved) {
      (void)madvise(loans[i].address, loans[i].size, MADV_DONTNEED);
      (void)mprotect(loans[i].address, loans[i].size, PROT_NONE);
    } else {
      (void)munmap(loans[i].address, loans[i].size);
    }
  }
  return (faults){atomic_load(&near_faults), atomic_load(&far_faults), atomic_load(&foreign_faults), written};
}
