#include "reports/ci/junit_cases.h"

#include <string.h>

#include "reports/ci/xml.h"
#include "reports/common/writers.h"

static size_t count_failed(const junit_case *cases, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) {
    failed += cases[i].passed ? 0 : 1;
  }
  return failed;
}

static void write_case(const junit_case *c, FILE *out) {
  (void)fputs("    <testcase", out);
  xml_attribute(out, "classname", c->suite);
  xml_attribute(out, "name", c->name);
  if (c->passed) {
    (void)fputs("/>\n", out);
    return;
  }
  char first[200];
  (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(c->said, "\n"), c->said);
  (void)fputs(">\n      <failure", out);
  xml_attribute(out, "message", first);
  xml_attribute(out, "type", "result");
  (void)fputc('>', out);
  xml_text(out, c->said);
  (void)fputs("</failure>\n    </testcase>\n", out);
}

int junit_cases_write(const junit_case *cases, size_t count, FILE *out, error *e) {
  (void)fprintf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cltestcheck\" tests=\"%zu\" "
                "failures=\"%zu\" errors=\"0\">\n",
                count, count_failed(cases, count));
  for (size_t i = 0, end = 0; i < count; i = end) {
    for (end = i; end < count && strcmp(cases[end].suite, cases[i].suite) == 0;) {
      end++;
    }
    (void)fputs("  <testsuite", out);
    xml_attribute(out, "name", cases[i].suite);
    (void)fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", end - i,
                  count_failed(cases + i, end - i));
    for (size_t k = i; k < end; k++) {
      write_case(&cases[k], out);
    }
    (void)fputs("  </testsuite>\n", out);
  }
  (void)fputs("</testsuites>\n", out);
  return report_written(out, e);
}
