/* Doing scripts and looking at what they read. */
#include "checks.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

replay *open_script(const script *s, const replay_options *o) {
  static const replay_options defaults;
  error e = {0};
  replay *r = NULL;
  if (replay_open(&r, &s->capture, o == NULL ? &defaults : o, &e) != 0) fail_msg("%s", e.text);
  return r;
}

static void look(void *data, uint64_t number, const capture_command *command, const unsigned char *bytes, size_t size) {
  outcome *o = data;
  if (o->reads++ == 0) o->first = number;
  o->next = number + 1;
  memcpy(o->bytes, bytes, size < sizeof o->bytes ? size : sizeof o->bytes);
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  if (command->known && (hash.low64 != command->low || hash.high64 != command->high)) {
    o->wrong++;
    print_message("read %llu is wrong: %02x %02x %02x %02x …\n", (unsigned long long)number, o->bytes[0], o->bytes[1],
                  o->bytes[2], o->bytes[3]);
  }
}

outcome do_turn(replay *r, const replay_turn *what, const replay_functions *functions, replay_result *result) {
  outcome o = {0};
  replay_result own;
  error e = {0};
  result = result == NULL ? &own : result;
  replay_show(r, look, &o);
  if (replay_do(r, what, functions, result, &e) != 0 || !result->complete) fail_msg("%s", e.text);
  replay_show(r, NULL, NULL);
  return o;
}

static void turns_with(const script *s, const replay_options *o, unsigned turns) {
  replay *r = open_script(s, o);
  for (unsigned i = 0; i < turns; i++) {
    replay_result result;
    const replay_turn what = {.setup = 1, .keep = true};
    const outcome done = do_turn(r, &what, NULL, &result);
    assert_int_equal(done.reads, s->reads);
    assert_int_equal(done.wrong, 0);
    assert_false(result.escaped);
  }
  replay_close(r);
}

void expect_turns(script *s, unsigned turns) {
  const replay_options little = {.memory = 1}, discrete = {.discrete = true};
  turns_with(s, NULL, turns);
  turns_with(s, &little, turns);
  turns_with(s, &discrete, turns);
  script_free(s);
}
