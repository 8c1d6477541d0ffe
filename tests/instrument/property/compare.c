/* Sites, outcomes, launches and findings of one program, in both directions; for the program and for each kernel. */
#include "compare.h"

#include <string.h>

#include "compare_conditions.h"

static const model_site *find_site(const model_site *sites, size_t count, uint32_t file, const site *s) {
  for (size_t i = 0; i < count; i++)
    if (sites[i].file == file && sites[i].kind == s->kind && sites[i].line == s->line && sites[i].column == s->column)
      return &sites[i];
  return NULL;
}

static const site *predicted_site(const tree *p, const model_site *found) {
  for (size_t i = 0; i < p->site_count; i++) {
    const site *s = p->sites[i];
    if (site_exists(s) && s->kind == found->kind && s->line == found->line && s->column == found->column) return s;
  }
  return NULL;
}

static uint32_t seen_by_all(const site *s) {
  uint32_t seen = 0;
  for (int k = 0; k < MAX_KERNELS; k++) seen |= s->seen[k];
  return seen;
}

static const char *outcome_label(const model_site *found, uint32_t outcome) {
  for (size_t i = 0; i < found->outcome_count; i++)
    if (found->outcomes[i].index == outcome) return found->outcomes[i].label;
  return "?";
}

static size_t compare_mask(const site *s, const model_site *found, const char *what, uint32_t expected, uint32_t got,
                           const char *where, FILE *report) {
  size_t differences = 0;
  for (uint32_t i = 0; i < 32; i++) {
    if (((expected ^ got) >> i & 1u) != 0) {
      bool wanted = (expected >> i & 1u) != 0;
      fprintf(report, "  %u:%u %s, outcome \"%s\"%s%s: %s, expected %s%s\n", s->line, s->column,
              site_kind_name(s->kind), outcome_label(found, i), where[0] == '\0' ? "" : " of kernel ", where,
              wanted ? "missing" : what, wanted ? "" : "not ", what);
      differences++;
    }
  }
  return differences;
}

static size_t compare_site(const site *s, const model_site *found, uint32_t expected, const char *kernel,
                           FILE *report) {
  uint32_t outcomes = 0;
  uint32_t covered = 0;
  for (size_t i = 0; i < found->outcome_count; i++) {
    outcomes |= 1u << found->outcomes[i].index;
    covered |= found->outcomes[i].tests > 0 ? 1u << found->outcomes[i].index : 0u;
  }
  return compare_mask(s, found, "counted", s->outcomes, outcomes, kernel, report) +
         compare_mask(s, found, "covered", expected, covered, kernel, report);
}

static size_t compare_sites(const view *v, const tree *p, uint32_t file, FILE *report) {
  size_t differences = 0;
  for (size_t i = 0; i < p->site_count; i++) {
    const site *s = p->sites[i];
    if (!site_exists(s)) continue;
    const model_site *found = find_site(v->sites, v->site_count, file, s);
    if (found == NULL) {
      fprintf(report, "  %u:%u %s: the site is missing\n", s->line, s->column, site_kind_name(s->kind));
      differences++;
    } else {
      differences += compare_site(s, found, seen_by_all(s), "", report);
    }
  }
  for (size_t i = 0; i < v->site_count; i++) {
    const model_site *found = &v->sites[i];
    bool elsewhere = found->kind == SITE_REGION || found->kind == SITE_CONDITION || found->kind == SITE_DECISION;
    if (found->file == file && !elsewhere && predicted_site(p, found) == NULL) {
      fprintf(report, "  %u:%u %s: no such site was expected\n", found->line, found->column,
              site_kind_name(found->kind));
      differences++;
    }
  }
  return differences;
}

static size_t compare_kernel(const view_kernel *k, const tree *p, const function *f, uint32_t file, FILE *report) {
  size_t differences = 0;
  uint64_t launches = 0;
  for (size_t i = 0; i < p->launch_count; i++) launches += p->launches[i].kernel == f ? 1 : 0;
  if (launches != k->launches) {
    fprintf(report, "  kernel %s: %llu launches, expected %llu\n", f->name, (unsigned long long)k->launches,
            (unsigned long long)launches);
    differences++;
  }
  for (size_t i = 0; i < p->site_count; i++) {
    const site *s = p->sites[i];
    if (!site_exists(s)) continue;
    uint32_t seen = s->seen[f->kernel_number];
    const model_site *found = find_site(k->sites, k->site_count, file, s);
    if (found != NULL) {
      differences += compare_site(s, found, seen, f->name, report);
    } else if (seen != 0 && (s->owner == NULL || COMPARE_MACRO_SITES_OF_KERNELS)) {
      fprintf(report, "  %u:%u %s: not among the sites of kernel %s\n", s->line, s->column, site_kind_name(s->kind),
              f->name);
      differences++;
    }
  }
  return differences;
}

static size_t compare_kernels(const view *v, const tree *p, uint32_t file, FILE *report) {
  size_t differences = 0;
  for (size_t i = 0; i < p->function_count; i++) {
    const function *f = p->functions[i];
    const view_kernel *found = NULL;
    for (size_t k = 0; f->kernel && k < v->kernel_count; k++) {
      bool same = strcmp(v->kernels[k].name, f->name) == 0 && v->functions[v->kernels[k].function].file == file;
      found = same ? &v->kernels[k] : found;
    }
    if (found != NULL) {
      differences += compare_kernel(found, p, f, file, report);
      differences +=
          compare_conditions(found->sites, found->site_count, p, file, 1u << f->kernel_number, f->name, report);
    } else if (f->kernel) {
      fprintf(report, "  kernel %s is missing\n", f->name);
      differences++;
    }
  }
  return differences;
}

size_t compare_program(const view *v, const tree *p, FILE *report) {
  uint32_t file = MODEL_NONE;
  for (uint32_t i = 0; i < v->file_count; i++)
    if (v->files[i].length == p->length && memcmp(v->files[i].text, p->text, p->length) == 0) file = i;
  if (file == MODEL_NONE) {
    fprintf(report, "  the program is not in the results\n");
    return 1;
  }
  size_t differences = compare_sites(v, p, file, report) + compare_kernels(v, p, file, report) +
                       compare_conditions(v->sites, v->site_count, p, file, UINT32_MAX, "all", report);
  for (size_t i = 0; i < v->finding_count; i++) {
    if (v->findings[i].file == file) {
      fprintf(report, "  line %u: a finding (%s) about a program without faults: %s\n", v->findings[i].line,
              v->findings[i].rule, v->findings[i].message);
      differences++;
    }
  }
  return differences;
}
