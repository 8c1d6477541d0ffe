/* A program for losses.sh: it ends, stops or fails in ways that lose evidence or make others wait.
 *
 *   losses_host WAY [SIZE]
 *
 * Ways of a client of the socket that keeps no rules, without OpenCL: "deaf" asks and never reads the answer, "half"
 * never sends the rest of a message, "chatter" sends notes without end, "slow" reads a byte a second; "daemon-deaf"
 * does the first of them in a daemon. */
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/protocol.h"
#include "tests/layer/host.h"

/* --- the socket --- */

enum { LARGE = 4 << 20 }; /* more than sockets hold */

static unsigned char text[LARGE + 4096];
static size_t length;

static void put(uint32_t value) {
  for (int i = 0; i < 4; i++)
    text[length++] = (unsigned char)(value >> (8 * i));
}

static void put_string(const char *s) {
  put((uint32_t)strlen(s));
  memcpy(text + length, s, strlen(s));
  length += strlen(s);
}

static void begin(uint32_t type) {
  length = 0;
  put(type);
  put(0);
}

static void end(int fd) {
  uint32_t body = (uint32_t)length - 8;
  for (int i = 0; i < 4; i++)
    text[4 + i] = (unsigned char)(body >> (8 * i));
  for (size_t sent = 0; sent < length;) {
    ssize_t n = send(fd, text + sent, length - sent, MSG_NOSIGNAL);
    if (n <= 0)
      exit(4);
    sent += (size_t)n;
  }
}

static int hello(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv(ENV_SOCKET);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (!path) /* no driver: nothing to do to it */
    exit(0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
    exit(4);
  begin(MESSAGE_HELLO);
  put(PROTOCOL_VERSION);
  put((uint32_t)getpid());
  put_string("/nowhere/losses_host");
  end(fd);
  return fd;
}

/* A program with a table of long numbers. */
static void ask(int fd) {
  static char source[LARGE];
  size_t at = (size_t)sprintf(source, "__constant float t[] = {\n");
  while (at < LARGE / 2)
    at += (size_t)sprintf(source + at, "0.%0200df,\n", 1);
  strcpy(source + at, "1};\n__kernel void k(__global float *a) { a[0] = t[1]; }\n");
  begin(MESSAGE_INSTRUMENT);
  put_string("device\nvendor\n1\nOpenCL C 1.2");
  put_string("/");
  put(1);
  put_string(source);
  put_string("");
  put(0); /* headers */
  put(0); /* linked */
  put_string("");
  put(0); /* others */
  put(0); /* facts */
  end(fd);
}

static void sleep_on(void) {
  for (;;)
    pause();
}

static void deaf(void) {
  ask(hello());
  sleep_on();
}

static void slow(void) {
  int fd = hello();
  char byte;
  ask(fd);
  while (recv(fd, &byte, 1, 0) == 1)
    sleep(1);
}

static void half(void) {
  int fd = hello();
  begin(MESSAGE_NOTE);
  put(NO_PROGRAM);
  if (send(fd, text, 10, 0) != 10)
    exit(4);
  sleep_on();
}

static void chatter(void) {
  int fd = hello();
  for (;;) {
    begin(MESSAGE_NOTE);
    put(NO_PROGRAM);
    put_string("a note");
    end(fd);
  }
}

/* Leaves the process group and the terminal, as daemons do; returns in the daemon. */
static void become_daemon(void) {
  if (fork() != 0)
    _exit(0);
  setsid();
  if (fork() != 0)
    _exit(0);
}

static void daemon_deaf(void) {
  become_daemon();
  deaf();
}

static const struct {
  const char *name;
  void (*run)(void);
} ways[] = {
    {"deaf", deaf}, {"slow", slow}, {"half", half}, {"chatter", chatter}, {"daemon-deaf", daemon_deaf},
};

int main(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(argv[1], ways[i].name) == 0) {
      ways[i].run();
      return 0;
    }
  return 64;
}
