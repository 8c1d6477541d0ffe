/* Completion for bash, zsh and fish, made from the tables. */
#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/help.h"
#include "cli/option_kinds.h"

/* Their names are at the beginnings of lines; what belongs to them is indented. */
#define BENCHMARKS "list 2>/dev/null | sed -n 's/^\\([^ ]\\{1,\\}\\).*/\\1/p'"

static bool takes_benchmarks(const command *c) { return strstr(c->usage, "BENCHMARK") != NULL; }

static bool has(const command *c, const option *o) { return (o->commands & c->bit) != 0; }

/* What a value is completed with. */
typedef struct value_words {
  buffer text; /* words, with spaces between; "" for none */
  bool file, folder;
} value_words;

static void words_of(const option *o, value_words *w) {
  unsigned flags = option_flags(o);
  *w = (value_words){.file = (flags & (OPTION_FILE | OPTION_REPORT)) != 0, .folder = (flags & OPTION_FOLDER) != 0};
  option_words(o, &w->text);
}

/* The help up to its first half-sentence: what a list has room for. `special` characters are left out. */
static void put_short(const char *text, const char *special, FILE *out) {
  for (const char *c = text; *c != '\0' && strncmp(c, " (", 2) != 0 && *c != ';'; c++) {
    if (*c == ':' && c[1] == ' ') {
      break;
    }
    if (strchr(special, *c) == NULL) {
      (void)fputc(*c, out);
    }
  }
}

/* --- bash --------------------------------------------------------------------------------------------------------- */

static void bash_values(const command *c, FILE *out) {
  for (const option *o = options; o->name != NULL; o++) {
    value_words w;
    if (!has(c, o) || o->argument == NULL) {
      continue;
    }
    words_of(o, &w);
    (void)fprintf(out, "    %s:--%s", c->name, o->name);
    if (o->letter != 0) {
      (void)fprintf(out, "|%s:-%c", c->name, o->letter);
    }
    (void)fprintf(out, ") values=\"%s\" files=%s ;;\n", buffer_text(&w.text), w.file ? "-f" : w.folder ? "-d" : "");
    buffer_free(&w.text);
  }
}

static void bash(FILE *out) {
  (void)fputs(
      "# bash completion for cltestcheck\n"
      "_cltestcheck() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
      "  local known= values= files=none benchmarks= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -- ]] && { _command_offset $((i + 1)) 2>/dev/null; return; }\n"
      "  done\n"
      "  [[ $COMP_CWORD == 1 || $verb == help ]] && verb=\n"
      "  # NAME=VALUE is three words to bash\n"
      "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  [[ $word == = ]] && word=\n"
      "  case $verb:$before in\n",
      out);
  EACH_COMMAND(c) { bash_values(c, out); }
  (void)fputs(
      "  esac\n"
      "  if [[ $files != none ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\") $([[ -n $files ]] && compgen $files -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    %s) known=\"", c->name);
    for (const option *o = options; o->name != NULL; o++) {
      if (has(c, o)) {
        (void)fprintf(out, "--%s ", o->name);
      }
    }
    (void)fputs(takes_benchmarks(c) ? "\"; benchmarks=yes ;;\n" : "\" ;;\n", out);
  }
  (void)fputs("    *) known=\"", out);
  EACH_COMMAND(c) { (void)fprintf(out, "%s ", c->name); }
  (void)fputs(
      "help\" ;;\n"
      "  esac\n"
      "  [[ -n $benchmarks && $word != -* ]] && known+=\" $(\"${COMP_WORDS[0]}\" " BENCHMARKS
      ")\"\n"
      "  COMPREPLY=($(compgen -W \"$known\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "}\n"
      "complete -o filenames -F _cltestcheck cltestcheck\n",
      out);
}

/* --- zsh ---------------------------------------------------------------------------------------------------------- */

#define ZSH_SPECIAL "'[]`$\\:\""

static void zsh_option(const option *o, FILE *out) {
  bool repeats = (option_flags(o) & OPTION_LIST) != 0;
  (void)fputs("      ", out);
  if (o->letter != 0) {
    (void)fprintf(out, repeats ? "{'*-%c','*--%s'}" : "'(-%c --%s)'{-%c,--%s}", o->letter, o->name, o->letter, o->name);
  } else {
    (void)fprintf(out, "'%s--%s'", repeats ? "*" : "", o->name);
  }
  (void)fputs("'[", out);
  put_short(o->help, ZSH_SPECIAL, out);
  (void)fputs("]", out);
  if (o->argument != NULL) {
    value_words w;
    words_of(o, &w);
    (void)fputs(":", out);
    put_short(o->argument, ZSH_SPECIAL, out);
    (void)fputs(":", out);
    if (w.text.length > 0) {
      (void)fprintf(out, "(%s)", buffer_text(&w.text));
    } else if (w.file || w.folder) {
      (void)fputs(w.folder ? "_files -/" : "_files", out);
    }
    buffer_free(&w.text);
  }
  (void)fputs("' \\\n", out);
}

static void zsh(FILE *out) {
  (void)fputs(
      "#compdef cltestcheck\n"
      "_cltestcheck_named() {\n"
      "  local -a names=(${(f)\"$(cltestcheck " BENCHMARKS
      ")\"})\n"
      "  compadd -a names\n"
      "  _files\n"
      "}\n"
      "_cltestcheck() {\n"
      "  local -a verbs=(\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    '%s:", c->name);
    put_short(c->summary, ZSH_SPECIAL, out);
    (void)fputs("'\n", out);
  }
  (void)fputs(
      "    'help:show the options of a command'\n"
      "  )\n"
      "  if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
      "    _describe command verbs\n"
      "    return\n"
      "  fi\n"
      "  local dash=$words[(i)--]\n"
      "  if ((dash < CURRENT)); then\n"
      "    shift dash words\n"
      "    ((CURRENT -= dash))\n"
      "    _normal\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n",
      out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "    %s) shift words; ((CURRENT--)); _arguments \\\n", c->name);
    for (const option *o = options; o->name != NULL; o++) {
      if (has(c, o)) {
        zsh_option(o, out);
      }
    }
    (void)fprintf(out, "      '*:%s' ;;\n",
                  takes_benchmarks(c) ? "benchmark or file:_cltestcheck_named" : "file:_files");
  }
  (void)fputs(
      "  esac\n"
      "}\n"
      "_cltestcheck \"$@\"\n",
      out);
}

/* --- fish --------------------------------------------------------------------------------------------------------- */

#define FISH_SPECIAL "'\\"

static void fish_option(const command *c, const option *o, FILE *out) {
  (void)fprintf(out, "complete -c cltestcheck -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
  if (o->letter != 0) {
    (void)fprintf(out, " -s %c", o->letter);
  }
  if (o->argument != NULL) {
    value_words w;
    words_of(o, &w);
    (void)fprintf(out, " %s", w.file || w.folder ? "-rF" : "-x");
    if (w.text.length > 0) {
      (void)fprintf(out, " -a '%s'", buffer_text(&w.text));
    }
    buffer_free(&w.text);
  }
  (void)fputs(" -d '", out);
  put_short(o->help, FISH_SPECIAL, out);
  (void)fputs("'\n", out);
}

static void fish(FILE *out) {
  (void)fputs("# fish completion for cltestcheck\n", out);
  EACH_COMMAND(c) {
    (void)fprintf(out, "complete -c cltestcheck -n __fish_use_subcommand -f -a %s -d '", c->name);
    put_short(c->summary, FISH_SPECIAL, out);
    (void)fputs("'\n", out);
  }
  EACH_COMMAND(c) {
    for (const option *o = options; o->name != NULL; o++) {
      if (has(c, o)) {
        fish_option(c, o, out);
      }
    }
    if (takes_benchmarks(c)) {
      (void)fprintf(out, "complete -c cltestcheck -n '__fish_seen_subcommand_from %s' -a '(cltestcheck ", c->name);
      (void)fputs("list 2>/dev/null | string replace -rf \"^(\\S+).*\" \"\\$1\")'\n", out);
    }
  }
}

int help_completion(const char *shell, FILE *out) {
  static const struct {
    const char *shell;
    void (*write)(FILE *);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
    if (strcmp(shells[i].shell, shell) == 0) {
      shells[i].write(out);
      return 0;
    }
  }
  return -1;
}
