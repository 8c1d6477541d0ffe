/* histogram [N [words|numbers [counts|shares]]]: classes of the characters of a text of N bytes. */
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { LINES, BLANKS, DASHES, DIGITS, OTHERS, CLASSES }; /* as in histogram.cl */
enum { LOCAL = 64, GROUPS = 2 };

static void count_on_host(const unsigned char *text, int n, int *counts) {
  for (int i = 0; i < n; i++) {
    if (text[i] == '\n') counts[LINES]++;
    if (text[i] == '\n' || text[i] == ' ' || text[i] == '\t')
      counts[BLANKS]++;
    else if (text[i] == '-')
      counts[DASHES]++;
    else if (text[i] >= '0' && text[i] <= '9')
      counts[DIGITS]++;
    else
      counts[OTHERS]++;
  }
}

static void launch_count(const host *h, int n, cl_mem text, cl_mem counts) {
  const size_t local = LOCAL, global = LOCAL * GROUPS;
  cl_kernel kernel = host_kernel(h, "count");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, text);
  HOST_ARGUMENT(kernel, 2, counts);
  host_launch(h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

static void launch_share(const host *h, int n, cl_mem counts) {
  const size_t global = CLASSES;
  cl_kernel kernel = host_kernel(h, "share");
  HOST_ARGUMENT(kernel, 0, n);
  HOST_ARGUMENT(kernel, 1, counts);
  host_launch(h, kernel, 1, NULL, &global, NULL);
  clReleaseKernel(kernel);
}

int main(int argc, char **argv) {
  const int n = host_number(argc, argv, 1, 500, 1, 1 << 20);
  const char *pattern = host_word(argc, argv, 2, "words", "words") ? "the quick brown fox jumps " : "12 345\n-6 ";
  const bool shares = host_word(argc, argv, 3, "counts", "shares");
  unsigned char *text = host_calloc((size_t)n, 1);
  for (int i = 0; i < n; i++) text[i] = (unsigned char)pattern[(size_t)i % strlen(pattern)];

  host h = host_open("histogram", "");
  int counts[CLASSES] = {0}, expected[CLASSES] = {0};
  cl_mem text_buffer = host_buffer(&h, (size_t)n, text), counts_buffer = host_buffer(&h, sizeof counts, NULL);
  launch_count(&h, n, text_buffer, counts_buffer);
  if (shares) launch_share(&h, n, counts_buffer);
  host_read(&h, counts_buffer, sizeof counts, counts);

  int wrong = 0;
  count_on_host(text, n, expected);
  for (int c = 0; c < CLASSES; c++) wrong += counts[c] != (shares ? 100 * expected[c] / n : expected[c]);

  clReleaseMemObject(counts_buffer);
  clReleaseMemObject(text_buffer);
  free(text);
  return host_finish(&h, wrong == 0, "%d lines, %d blanks, %d dashes, %d digits, %d others%s", counts[LINES],
                     counts[BLANKS], counts[DASHES], counts[DIGITS], counts[OTHERS], shares ? " (per cent)" : "");
}
