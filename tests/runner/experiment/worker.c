/* A stand-in for a worker, or (pool_worker ACTION) for a program, without OpenCL: says who it is and does as it is
 * told. pool_worker -1 MARK: a worker; DO_DIE_ONCE makes the file MARK first and does well when it is there. */
#include "tests/runner/experiment/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire/fields.h"
#include "wire/protocol.h"

static int connection;

static void send_message(buffer *b) {
  wire_end(b);
  if (write(connection, buffer_text(b), b->length) != (ssize_t)b->length) _exit(90);
  buffer_free(b);
}

static void read_all(void *to, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t n = read(connection, (char *)to + at, size - at);
    if (n <= 0) _exit(0); /* nobody wants turns any more */
    at += (size_t)n;
  }
}

static void say(uint32_t type) {
  buffer b = {0};
  wire_begin(&b, type);
  wire_put_u32(&b, (uint32_t)getpid());
  send_message(&b);
}

/* The handler of the job hears in which process its turn is. */
static void say_who(void) { say(MESSAGE_NOTE); }

static void say_next(uint32_t turns, uint32_t flags) {
  buffer b = {0};
  wire_begin(&b, MESSAGE_NEXT);
  wire_put_u32(&b, turns);
  wire_put_u32(&b, flags);
  wire_put_u64(&b, READS_LEFT_OUT);
  send_message(&b);
}

static uint64_t hear_turn(void) {
  uint32_t header[2];
  read_all(header, sizeof header);
  unsigned char *body = malloc(header[1]);
  read_all(body, header[1]);
  wire_reader in = {.at = body, .left = header[1]};
  uint64_t action = wire_u64(&in);
  free(body);
  return header[0] == MESSAGE_TURN ? action : DO_EXIT;
}

static uint32_t act(uint64_t action, const char *mark) {
  switch (action) {
    case DO_ESCAPE: return TURN_COMPLETE | TURN_ESCAPED;
    case DO_SPOIL: return TURN_COMPLETE | TURN_SPOILED;
    case DO_FAULT: return TURN_FAULTED;
    case DO_HALF: return 0;
    case DO_EXIT: _exit(EXIT_OF_DO_EXIT);
    case DO_HANG: (void)pause(); return 0;
    case DO_DIE_ONCE:
      if (open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) return TURN_COMPLETE;
      (void)raise(SIGKILL);
      return 0;
    case DO_BUILD: /* asks about a program after a while */
      (void)usleep((useconds_t)(BUILD_SECONDS * 1e6));
      say(MESSAGE_INSTRUMENT);
      return TURN_COMPLETE;
    case DO_DIE: (void)raise(SIGKILL); return 0;
    default: return TURN_COMPLETE;
  }
}

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int action = count > 1 ? atoi(arguments[1]) : DO_EXIT;
  const char *path = getenv(ENV_SOCKET);
  connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (path == NULL || strlen(path) >= sizeof address.sun_path) return 91;
  memcpy(address.sun_path, path, strlen(path));
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return 92;
  if (action >= 0) { /* a program */
    say_who();
    (void)act((uint64_t)action, "");
    return 0;
  }
  uint32_t flags = 0;
  for (uint32_t turns = 0;; turns++) {
    say_next(turns, flags);
    const uint64_t next = hear_turn();
    say_who();
    flags = act(next, arguments[2]);
  }
}
