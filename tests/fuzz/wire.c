/* What layers say, with random changes: pretended processes talk to the real server and session over its socket, a
 * database behind them. What is well-formed is taken; what is not is refused with a sentence; nothing is read that is
 * not there. By hand: fuzz_wire SEED SECONDS FILE.cl… */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "detectors/races/decoder.h"
#include "layer.h"
#include "runner/experiment/transcript.h"
#include "runner/server.h"
#include "runner/session/session.h"
#include "wire/fields.h"
#include "wire/protocol.h"

enum { PROCESSES = 4, MESSAGES = 80, LIVES = 100, FAR = 1 << 12, HEAD = 40 };

static random_state numbers;
static size_t said, taken, refused, changed_messages, lives, worlds;

static size_t below(size_t n) { return fuzz_below(&numbers, n); }

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s (world %zu, life %zu)\n", what, why, worlds, lives);
  abort();
}

/* --- our side: what the server hands over --- */

typedef struct world {
  char *folder;
  db *d;
  int64_t run;
  session *session;
  bool gated, checked, repeats;
  program_form form;
  transcript known, seen;
} world;

static bool is_read(uint32_t type) { return type == MESSAGE_READ; }

/* Numbers from 0 that a layer may let grow far: memory for all of them, and no fault. Reads further ahead are refused. */
static bool wants_memory(uint32_t type, const unsigned char *payload, size_t length) {
  wire_reader in = {.at = payload, .left = length};
  const uint64_t number = is_read(type) ? wire_u64(&in) : type == MESSAGE_TEST_CASE ? wire_u32(&in) : 0;
  return number > FAR && number < (is_read(type) ? UINT64_C(1) << 21 : UINT64_C(1) << 26);
}

static int take_read(world *w, wire_reader *in, error *e) {
  const transcript_read *read = NULL;
  uint64_t number = 0;
  if (transcript_take(&w->seen, 0, in, &read, &number, e) != 0) return -1;
  (void)transcript_read_differs(&w->known, &w->seen, 0, number, read);
  (void)transcript_varying(read);
  return 0;
}

/* A copy of just that size, so that sanitizers see a read behind it. */
static int on_message(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                      error *e) {
  world *w = context;
  session_client *c = client;
  *e = (error){0};
  c->form = w->form;
  c->repeats = w->repeats;
  if (wants_memory(type, payload, length)) return 0;
  unsigned char *exact = malloc(length == 0 ? 1 : length);
  if (length > 0) memcpy(exact, payload, length);
  wire_reader in = {.at = exact, .left = length};
  const int status =
      is_read(type) ? take_read(w, &in, e) : session_message(w->session, c, type, exact, length, answer, e);
  free(exact);
  if (status != 0 && e->text[0] == '\0') fail("refused without a sentence", "");
  if (status == 0 && (answer->length > 0) != (type == MESSAGE_INSTRUMENT || type == MESSAGE_NEEDLESS))
    fail("an answer", answer->length > 0 ? "that nobody asked for" : "that did not come");
  taken += status == 0;
  refused += status != 0;
  return status;
}

static void on_gone(void *context, void *client) { session_client_gone(((world *)context)->session, client); }

/* --- their side: processes --- */

typedef struct talker {
  int fd;
  layer layer;
  buffer in;
  buffer held; /* a message that comes after the next one */
} talker;

static void serve(server *v) {
  struct pollfd fds[PROCESSES + 2];
  for (int round = 0; round < 64; round++) {
    const size_t count = server_descriptors(v, fds, PROCESSES + 2);
    if (poll(fds, (nfds_t)count, 0) <= 0) return;
    server_serve(v, fds, count);
  }
}

static void open_talker(talker *t, const server *v, const world *w) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  *t = (talker){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", server_path(v));
  if (t->fd < 0 || connect(t->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect", strerror(errno));
  t->layer.directory = w->folder;
}

static void close_talker(talker *t) {
  (void)close(t->fd);
  layer_free(&t->layer);
  buffer_free(&t->in);
  buffer_free(&t->held);
}

/* In pieces of any size; what the server does not take any more is lost. */
static void send_all(talker *t, server *v, const buffer *b) {
  size_t sent = 0;
  while (sent < b->length && server_error(v) == NULL) {
    const size_t left = b->length - sent, piece = below(4) == 0 ? 1 + below(left) : left;
    const ssize_t n = send(t->fd, b->data + sent, piece, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) return;
    sent += n > 0 ? (size_t)n : 0;
    serve(v);
  }
}

/* Answers, whole ones. A stream that was changed has no claim to answers that fit. */
static void hear(talker *t, bool expected) {
  char chunk[16384];
  ssize_t n = 0;
  while ((n = recv(t->fd, chunk, sizeof chunk, 0)) > 0) buffer_append(&t->in, chunk, (size_t)n);
  while (t->in.length >= 8) {
    wire_reader header = {.at = (const unsigned char *)t->in.data, .left = 8};
    const uint32_t type = wire_u32(&header), length = wire_u32(&header);
    if (t->in.length - 8 < length) break;
    if (!layer_hear(&t->layer, &numbers, type, t->in.data + 8, length)) fail("an answer", "that is malformed");
    t->in.length -= 8 + (size_t)length;
    memmove(t->in.data, t->in.data + 8 + length, t->in.length);
  }
  if (t->in.length > 0 && expected) fail("an answer", "that is not whole");
  t->layer.asking = t->layer.asking && t->layer.fact_count > 0;
}

/* --- changes --- */

static void put_at(buffer *b, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4 && at + i < b->length; i++) b->data[at + i] = (char)(unsigned char)(value >> (8 * i));
}

static uint32_t strange_number(void) {
  static const uint32_t all[] = {0, 1, 2, 4, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};
  return all[below(sizeof all / sizeof *all)];
}

static uint32_t number_at(const buffer *b, size_t at) {
  wire_reader in = {.at = (const unsigned char *)b->data + at, .left = b->length - at};
  return wire_u32(&in);
}

/* An array of words at the end is longer or shorter, and its count and the header say so; else a field near the start
 * is another small number. */
static void change_shape(buffer *b) {
  const uint32_t count = (uint32_t)below(9);
  const bool array = below(3) > 0;
  for (size_t at = 8; array && at + 4 <= b->length && at < HEAD; at += 4) {
    if (number_at(b, at) == (b->length - at - 4) / 4 && number_at(b, at) > 0 && (b->length - at) % 4 == 0) {
      b->length = at + 4;
      put_at(b, at, count);
      for (uint32_t i = 0; i < count; i++) wire_put_u32(b, (uint32_t)random_next(&numbers));
      put_at(b, 4, (uint32_t)b->length - 8);
      return;
    }
  }
  put_at(b, 8 + 4 * below(HEAD / 4), count);
}

/* Some bytes after `from`. */
static void change_bytes(buffer *b, size_t from) {
  for (size_t n = 1 + below(4); n > 0 && b->length > from; n--) {
    const size_t at = from + below(b->length - from);
    b->data[at] =
        (char)(below(2) == 0 ? (unsigned char)random_next(&numbers) : (unsigned char)b->data[at] ^ (1u << below(8)));
  }
}

/* The message is in `b` alone. A changed source is another program, which takes longest: mostly it stays. */
static void change(buffer *b, uint32_t type) {
  const bool keep = type == MESSAGE_INSTRUMENT && below(8) > 0;
  switch (keep ? 5 + below(5) : below(10)) {
    case 0:
    case 1: change_bytes(b, 8); break;
    case 2: /* a field */ put_at(b, 8 + 4 * below(1 + (b->length - 8) / 4), strange_number()); break;
    case 3:
    case 4: change_shape(b); break;
    case 5: /* shorter than its header says */ b->length -= below(b->length); break;
    case 6: /* shorter, and its header says so */
      b->length = 8 + below(b->length - 7);
      put_at(b, 4, (uint32_t)b->length - 8);
      break;
    case 7: /* longer, and its header says so */
      for (size_t n = 1 + below(9); n > 0; n--) buffer_putc(b, (char)random_next(&numbers));
      put_at(b, 4, (uint32_t)b->length - 8);
      break;
    case 8: /* another type */ put_at(b, 0, below(3) == 0 ? strange_number() : (uint32_t)below(24)); break;
    default: /* another length */
      put_at(b, 4, below(2) == 0 ? strange_number() : (uint32_t)b->length - 8 + (uint32_t)below(9) - 4);
      break;
  }
}

/* The next message of a process; with `wild` perhaps changed, left out, sent twice, or late. */
static void speak(talker *t, server *v, bool wild) {
  buffer b = {0};
  const uint32_t type = layer_say(&t->layer, &numbers, &b);
  const size_t what = wild ? below(60) : 60;
  said++;
  if (what < 6) {
    change(&b, type);
  } else if (what == 6) {
    b.length = 0;
  } else if (what == 7) {
    const size_t length = b.length;
    char *copy = mem_strndup(b.data, length);
    buffer_append(&b, copy, length);
    free(copy);
  } else if (what == 8 && t->held.length == 0) {
    buffer_append(&t->held, b.data, b.length);
    b.length = 0;
  } else if (t->held.length > 0) {
    buffer_append(&b, t->held.data, t->held.length);
    buffer_free(&t->held);
  }
  changed_messages += what <= 8;
  send_all(t, v, &b);
  buffer_free(&b);
  serve(v);
  hear(t, !wild);
}

static void say_goodbye(talker *t, server *v) {
  buffer b = {0};
  wire_begin(&b, MESSAGE_GOODBYE);
  wire_end(&b);
  send_all(t, v, &b);
  buffer_free(&b);
}

/* --- a server's life: one test case --- */

static void talk(server *v, const world *w, bool wild) {
  talker all[PROCESSES];
  const size_t count = 1 + below(PROCESSES);
  for (size_t i = 0; i < count; i++) open_talker(&all[i], v, w);
  serve(v);
  for (size_t n = 0; n < MESSAGES && server_error(v) == NULL; n++) {
    talker *t = &all[below(count)];
    speak(t, v, wild);
    if (below(100) == 0) { /* it ends, with a word or without, and another begins */
      if (below(2) == 0) say_goodbye(t, v);
      close_talker(t);
      open_talker(t, v, w);
      serve(v);
    }
  }
  for (size_t i = 0; i < count; i++) close_talker(&all[i]);
  serve(v);
}

static void expect(int status, const error *e, const char *what) {
  if (status != 0) fail(what, e->text);
}

static void live(world *w) {
  error e = {0};
  server *v = NULL;
  int64_t test = 0;
  size_t named = 0, failed = 0;
  char *argv[] = {w->folder, NULL};
  const bool wild = below(4) > 0;
  w->form = below(8) == 0 ? FORM_UNTOUCHED
            : w->checked  ? FORM_CHECKED + (program_form)below(2)
            : w->gated    ? FORM_GATED_COVERAGE + (program_form)below(3)
                          : FORM_COVERAGE;
  w->repeats = below(4) == 0;
  expect(db_begin_test_case(w->d, w->run, "", "test", "./test", &test, &e), &e, "a test case");
  session_begin_test_case(w->session, test, argv);
  session_take_names(w->session, "suite", "./test", "suite.yaml");
  expect(server_open(&v, &(server_handler){w, sizeof(session_client), on_message, on_gone}, &e), &e, "the server");
  talk(v, w, wild);
  if (!wild && server_error(v) != NULL) fail("a well-formed message is refused", server_error(v)->text);
  server_close(v);
  free(session_suspect(w->session));
  if (below(4) == 0) session_hold_back(w->session);
  expect(session_end_checks(w->session, &e), &e, "the races");
  expect(session_judge(w->session, below(16) == 0, &e), &e, "judging");
  expect(session_end_names(w->session, 0, false, &named, &failed, &e), &e, "the names' end");
  expect(db_end_test_case(w->d, test, 0, false, &e), &e, "the test case's end");
  (void)transcript_differs(&w->known, &w->seen, ORACLE_READS);
  transcript_learn(&w->known, &w->seen);
  transcript_free(&w->known);
  w->known = w->seen;
  w->seen = (transcript){0};
  lives++;
}

/* --- a world: a database, a run, a session --- */

/* What was stored can be loaded. */
static void load(world *w) {
  error e = {0};
  view v;
  expect(db_end_run(w->d, w->run, "Device", 0, &e), &e, "the run's end");
  expect(db_load(w->d, NULL, 0, &v, &e), &e, "loading");
  view_free(&v);
}

static void one_world(char *folder, time_t end) {
  error e = {0};
  buffer path = {0};
  world w = {.folder = folder};
  buffer_printf(&path, "%s/run.db", folder);
  expect(db_open(&w.d, buffer_text(&path), DB_WRITE, &e), &e, "the database");
  expect(db_begin_run(w.d, "coverage", CLTC_VERSION, &w.run, &e), &e, "the run");
  w.gated = below(4) == 0;
  w.checked = !w.gated && below(3) == 0;
  w.session = session_new(w.d, w.run,
                          &(session_options){.kernels = w.gated     ? KERNEL_GATED
                                                        : w.checked ? KERNEL_CHECKED
                                                                    : KERNEL_COUNTED});
  for (size_t i = 0; i < LIVES && time(NULL) < end; i++) live(&w);
  session_free(w.session);
  load(&w);
  db_close(w.d);
  (void)unlink(buffer_text(&path));
  transcript_free(&w.known);
  transcript_free(&w.seen);
  buffer_free(&path);
  worlds++;
}

int main(int argc, char **argv) {
  char folder[] = "/tmp/fuzz_wire.XXXXXX";
  if (argc < 3 || mkdtemp(folder) == NULL) {
    fputs("fuzz_wire: wants a seed, seconds and files\n", stderr);
    return 2;
  }
  const uint64_t seed = strtoull(argv[1], NULL, 10);
  const time_t end = time(NULL) + (time_t)strtoul(argv[2], NULL, 10);
  for (int i = 3; i < argc; i++) layer_add_source(argv[i]);
  while (time(NULL) < end) {
    numbers.at = seed * 1000003 + worlds;
    one_world(folder, end);
  }
  printf("seed %" PRIu64 ": %zu messages in %zu test cases of %zu databases, %zu changed, %zu taken, %zu refused\n",
         seed, said, lives, worlds, changed_messages, taken, refused);
  layer_forget_sources();
  (void)rmdir(folder);
  return 0;
}
