/* Calls that the driver has refused: the device did not do what the program asked for. */
#include "base/buffer.h"
#include "base/cl_error.h"
#include "reports/html/page.h"

static void put_call(const page *p, const db_refused *r) {
  const char *remedy = cl_error_remedy(r->error);
  buffer item = {0};
  buffer_printf(&item, "%s%s%s, %lld time%s: %s", r->call, r->kernel[0] == '\0' ? "" : " of ", r->kernel,
                (long long)r->count, page_plural((size_t)r->count), r->error);
  if (r->detail[0] != '\0') {
    buffer_printf(&item, " (%s)", r->detail);
  }
  buffer_printf(&item, "%s%s", remedy == NULL ? "" : "; ", remedy == NULL ? "" : remedy);
  (void)fputs("<li>", p->out);
  page_text(p->out, buffer_text(&item));
  (void)fputs("\n", p->out);
  buffer_free(&item);
}

void page_refused(const page *p) {
  if (p->v->refused_count == 0) {
    return;
  }
  (void)fputs("<h3>Refused by the device</h3>\n<ul class=refused>\n", p->out);
  for (size_t i = 0; i < p->v->refused_count; i++) {
    put_call(p, &p->v->refused[i]);
  }
  (void)fputs("</ul>\n", p->out);
}
