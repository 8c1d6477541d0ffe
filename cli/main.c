/* cltestcheck: picks the command and runs it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/say.h"
#include "cli/options.h"
#include "cli/output.h"
#include "runner/paths.h"

static int unknown_command(const char *name) {
  suggestion near = {.word = name};
  EACH_COMMAND(c) { suggest_consider(&near, c->name); }
  if (near.best != NULL)
    say(stderr, "cltestcheck: unknown command \"%s\"; did you mean %s?\n", name, near.best);
  else
    say(stderr, "cltestcheck: unknown command \"%s\"; `cltestcheck help` lists the commands\n", name);
  return EXIT_USAGE;
}

/* `help COMMAND [--all]`, and the same for a generated man page. */
static int about_command(int argc, char **argv, void (*write)(const command *, bool)) {
  const command *c = command_find(argv[2]);
  if (c == NULL) return unknown_command(argv[2]);
  bool all = argc > 3 && strcmp(argv[3], "--all") == 0;
  if (argc > 3 + (all ? 1 : 0)) {
    say(stderr, "cltestcheck: help knows nothing but --all after a command, not \"%s\"\n", argv[3]);
    return EXIT_USAGE;
  }
  write(c, all);
  return EXIT_FINE;
}

static void write_help(const command *c, bool all) { help_command(c, all, stdout); }

static void write_man_page(const command *c, bool all) {
  (void)all;
  help_man_page(c, stdout);
}

static int complete(const char *shell) {
  if (help_completion(shell, stdout) == 0) return EXIT_FINE;
  say(stderr, "cltestcheck: --completion wants bash, zsh or fish, not \"%s\"\n", shell);
  return EXIT_USAGE;
}

/* `help`, `--help`, `--version` and the generated files. */
static int meta_command(int argc, char **argv) {
  const char *name = argc < 2 ? "" : argv[1];
  if (strcmp(name, "--version") == 0) {
    (void)printf("cltestcheck %s\n", CLTC_VERSION);
  } else if (strcmp(name, "--man-page") == 0 && argc > 2) {
    return about_command(argc, argv, write_man_page);
  } else if (strcmp(name, "--man-page") == 0) {
    help_man_page(NULL, stdout);
  } else if (strcmp(name, "--completion") == 0) {
    return complete(argc > 2 ? argv[2] : "bash");
  } else if (strcmp(name, "--schema") == 0) {
    return help_schema(stdout) == 0 || ferror(stdout) != 0 ? EXIT_FINE : EXIT_INTERNAL; /* the latter: end_output */
  } else if (strcmp(name, "help") == 0 && argc > 2 && strcmp(argv[2], "--all") != 0) {
    return about_command(argc, argv, write_help);
  } else if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    help_overview(stdout);
  } else if (name[0] == '\0') {
    help_overview(stderr);
    return EXIT_USAGE;
  } else {
    return -1;
  }
  return EXIT_FINE;
}

/* `config COMMAND …` reads what follows as that command would, and says what came of it. */
static int run(const command *c, bool show, int argc, char **argv) {
  settings s;
  error e = {0};
  int code = EXIT_FINE;
  if (options_parse(c, argc, argv, &s, &e) != 0) {
    code = say_error(&e);
  } else if (s.given.help) {
    help_command(c, s.given.help_all, stdout);
  } else if (show) {
    config_print_command(c, &s);
  } else {
    project_set_root(s.sources.root);
    /* Where kernels are looked for that programs keep in strings. Nothing is read before the first is seen. */
    scoped char *repository = project_repository(".");
    const char *usual = repository == NULL ? "." : repository;
    bool given = s.sources.roots.count > 0;
    home_search_in(given ? s.sources.roots.items : &usual, given ? s.sources.roots.count : 1);
    if (s.device.no_build_cache) builds_leave_out();
    if (formats_check(&s.report, &e) == 0) {
      code = c->run(&s, &e);
      code = code < 0 ? say_error(&e) : code;
      if (s.report.verbose && effort_so_far.starts + effort_so_far.replays > 0) {
        const effort *all = &effort_so_far;
        say(stderr,
            "cltestcheck: starts of programs: %llu; replays: %llu; texts that the device's compiler built: %llu, and "
            "that "
            "were "
            "kept: %llu\n",
            (unsigned long long)all->starts, (unsigned long long)all->replays, (unsigned long long)all->built,
            (unsigned long long)all->kept);
      }
    } else {
      code = say_error(&e);
    }
    if (home_note() != NULL) (void)fprintf(stderr, "cltestcheck: %s\n", home_note());
    home_forget();
    project_set_root(NULL);
  }
  settings_free(&s);
  return code;
}

/* What went to standard output must have got there; a reader that has seen enough is no failure. */
static int end_output(int code) {
  bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
  if (!failed || code == EXIT_INTERNAL) return code;
  int reason = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO; /* the stream may have forgotten */
  if (reason == EPIPE) return code;
  say(stderr, "cltestcheck: standard output could not be written: %s\n", strerror(reason));
  return EXIT_INTERNAL;
}

static int run_command(int argc, char **argv) {
  int code = meta_command(argc, argv);
  if (code >= 0) return code;
  const command *c = command_find(argv[1]);
  if (c == NULL) return unknown_command(argv[1]);
  bool show = c->run == command_config.run && argc > 2 && argv[2][0] != '-';
  if (!show) return run(c, false, argc - 2, argv + 2);
  c = command_find(argv[2]);
  return c == NULL ? unknown_command(argv[2]) : run(c, true, argc - 3, argv + 3);
}

int main(int argc, char **argv) {
  (void)signal(SIGPIPE, SIG_IGN);
  empty_output_begin();
  return end_output(run_command(argc, argv));
}
