/* SIGSEGV at an address where nothing is mapped. */
#include "runner/replay/fault.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)4096)
#define LEAST_ADDRESS ((uintptr_t)65536) /* below, a pointer is null */

enum { MOST_PAGES = 4096 }; /* beyond these the process ends as any other */

static void *pages[MOST_PAGES];
static atomic_uint page_count;
static struct sigaction before;

/* The instruction is tried once more on return. */
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  const uintptr_t address = (uintptr_t)info->si_addr;
  if (info->si_code == SEGV_MAPERR && address >= LEAST_ADDRESS && atomic_load(&page_count) < MOST_PAGES) {
    void *page = mmap((void *)(address / PAGE * PAGE), PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page != MAP_FAILED) {
      const unsigned place = atomic_fetch_add(&page_count, 1);
      if (place < MOST_PAGES) {
        pages[place] = page;
      }
      return; /* threads may count one too many; the page of the last ones stays */
    }
  }
  (void)signal(number, SIG_DFL);
}

void faults_begin(void) {
  struct sigaction mend = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  (void)sigemptyset(&mend.sa_mask);
  atomic_store(&page_count, 0);
  (void)sigaction(SIGSEGV, &mend, &before);
}

bool faults_end(void) {
  (void)sigaction(SIGSEGV, &before, NULL);
  const unsigned count = atomic_exchange(&page_count, 0);
  for (unsigned i = 0; i < count && i < MOST_PAGES; i++) {
    (void)munmap(pages[i], PAGE);
  }
  return count > 0;
}
