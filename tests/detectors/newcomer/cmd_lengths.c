/* The newcomer's command: cmd_lengths LAYER PROGRAM prints what the rule says of each buffer of each kernel. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "runner/build/program_request.h"
#include "runner/server.h"
#include "tests/detectors/newcomer/pass.h"
#include "tests/detectors/newcomer/rule.h"
#include "wire/protocol.h"

static int answer_request(wire_reader *in, instrument_result *r, buffer *answer, error *e) {
  static const form_row ours = {.kernels = KERNEL_NEWCOMER, .options = ""};
  program_request request;
  int result = request_decode(in, &request);
  if (result == 0) {
    pp_input *inputs = request_inputs(&request);
    result = instrument_as(&lengths_form, inputs, request.source_count, NULL, r, e);
    free(inputs);
  }
  if (result == 0) program_answer(answer, 0, r, NULL, &ours, "");
  request_free(&request);
  return result;
}

static void tell(const instrument_result *r, wire_reader *in) {
  (void)wire_u32(in);
  const uint32_t kernel = wire_u32(in);
  (void)wire_u64(in);
  (void)wire_u64(in); /* numbers of the launches */
  (void)wire_u64(in); /* test case, words */
  const uint32_t word = wire_u32(in);
  if (in->failed || kernel >= r->model.kernel_count) return;
  for (size_t i = 0; i < r->kernels[kernel].object_count; i++) {
    const instrument_object *o = &r->kernels[kernel].objects[i];
    printf("%s %s: %s\n", r->model.kernels[kernel].name, o->name, lengths_verdict(word, o->parameter));
  }
}

static int take(void *context, void *client, uint32_t type, const void *payload, size_t length, buffer *answer,
                error *e) {
  (void)client;
  wire_reader in = {.at = payload, .left = length};
  if (type == MESSAGE_INSTRUMENT) return answer_request(&in, context, answer, e);
  if (type == MESSAGE_EVIDENCE) tell(context, &in);
  return 0;
}

static void gone(void *context, void *client) { (void)context, (void)client; }

static int serve(server *v, pid_t child) {
  int status = 0;
  bool running = true;
  while (running || server_connections(v) > 0) {
    struct pollfd polled[8];
    const size_t count = server_descriptors(v, polled, 8);
    (void)poll(polled, count, 50);
    server_serve(v, polled, count);
    running = running && waitpid(child, &status, WNOHANG) == 0;
  }
  return status;
}

int main(int argc, char **argv) {
  instrument_result r = {0};
  const server_handler handler = {.context = &r, .client_size = 1, .message = take, .gone = gone};
  server *v = NULL;
  error e = {0};
  sigset_t mask;
  sigemptyset(&mask);
  pid_t child = 0;
  int status = 1;
  if (argc > 2 && server_open(&v, &handler, &e) == 0) {
    const child_options options = {.argv = argv + 2, .on.layer = argv[1]};
    status = child_start(&options, server_path(v), &mask, false, &child, &e) == 0 ? serve(v, child) : 1;
  }
  if (v != NULL && server_error(v) != NULL) {
    e = *server_error(v);
    status = 1;
  }
  fputs(e.text, stderr);
  server_close(v);
  instrument_free(&r);
  return status == 0 ? 0 : 1;
}
