"""pytest --cltestcheck: coverage and mutation testing of OpenCL kernels, test by test.

pytest starts once more, under `cltestcheck`, before any module of the tests is loaded: OpenCL has to be told of the
layer before its first call. There the plugin tells the layer when each test begins and ends, so that what a kernel did
belongs to the test that launched it. Without an option of this plugin nothing happens."""
import ctypes
import json
import os
import re
import shlex
import shutil
import sys

import pytest

SOCKET = "CLTESTCHECK_SOCKET"  # there: this process runs under cltestcheck
LAYERS = "CLTESTCHECK_LAYERS"  # our layer and those of others, with colons between them
TEST_CASE = "CLTESTCHECK_TEST_CASE"  # the test that started this process
TEST_COMMAND = "CLTESTCHECK_TEST_COMMAND"  # what runs that test alone
LIST = "CLTESTCHECK_PYTEST_LIST"  # file to write the list of tests to, and nothing else
COMMAND = "CLTESTCHECK_PYTEST_COMMAND"  # what runs one test, as JSON, for workers of xdist

MODES = ("coverage", "mutate", "amplify")
FLAGS = {"--cltestcheck": "coverage", "--cltestcheck-mutate": "mutate", "--cltestcheck-amplify": "amplify"}
CHOOSING = ("-k", "-m")  # options that choose among tests: the name of a test says it better
VALUES = ("--cltestcheck-fail-under", "--cltestcheck-report", "--cltestcheck-args")


def pytest_addoption(parser):
    group = parser.getgroup("cltestcheck", "coverage and mutation testing of OpenCL kernels")
    group.addoption("--cltestcheck", action="store_true", help="Measure the coverage of OpenCL kernels, test by test.")
    group.addoption(
        "--cltestcheck-mutate",
        action="store_true",
        help="Mutate the kernels, and run each test alone against the mutants that it reaches.",
    )
    group.addoption(
        "--cltestcheck-amplify",
        action="store_true",
        help="Run each test alone under many orders of the kernels' work-groups.",
    )
    group.addoption(
        "--cltestcheck-fail-under",
        action="append",
        default=[],
        metavar="METRIC=PERCENT",
        help="Fail when less is covered, such as branch=80; with --cltestcheck-mutate, mutation=75.",
    )
    group.addoption(
        "--cltestcheck-report",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="Write a report: html, lcov, json, junit, sarif, and others of `cltestcheck help report --all`.",
    )
    group.addoption(
        "--cltestcheck-args",
        action="append",
        default=[],
        metavar="ARGS",
        help="More options for cltestcheck, such as --cltestcheck-args='--device 0 --db kernels.db'.",
    )


# --- starting once more -------------------------------------------------------------------------------------------


def mode_of(options):
    for mode, flag in zip(reversed(MODES), ("cltestcheck_amplify", "cltestcheck_mutate", "cltestcheck")):
        if getattr(options, flag, False):
            return mode
    return None


def without_ours(args):
    """The words that are not of this plugin."""
    kept = []
    skip = False
    for word in args:
        if skip:
            skip = False
        elif word in VALUES:
            skip = True
        elif word in FLAGS or word.split("=", 1)[0] in VALUES or word == "-ppytest_cltestcheck":
            pass
        elif word == "pytest_cltestcheck" and kept and kept[-1] == "-p":
            kept.pop()
        else:
            kept.append(word)
    return kept


def how_started(args):
    """What stood in front of `args` on the command line that started this process."""
    words = list(getattr(sys, "orig_argv", []))
    args = [str(a) for a in args]
    if len(words) <= len(args) or (args and words[-len(args) :] != args):
        return [sys.executable, "-m", "pytest"]
    head = words[: len(words) - len(args)]
    script = os.path.basename(head[-1])
    if len(head) == 2 and script in ("pytest", "py.test") and shutil.which(script) == head[-1]:
        return [script]
    return head


def find_tool():
    here = os.path.dirname(os.path.realpath(__file__))
    near = [os.path.join(here, *up, "cltestcheck") for up in ([".."], ["..", "..", "..", "bin"])]
    for path in [os.environ.get("CLTESTCHECK")] + near + [shutil.which("cltestcheck")]:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise pytest.UsageError("--cltestcheck: cltestcheck is not in PATH; install it, or set CLTESTCHECK to its path")


def start_again(mode, config):
    options = config.known_args_namespace
    args = [str(a) for a in config.invocation_params.args]
    words = [find_tool(), mode, "--pytest"]
    if mode == "coverage":
        words.append("--exit-as-program")
    for threshold in options.cltestcheck_fail_under:
        words += ["--fail-under", threshold]
    for report in options.cltestcheck_report:
        words += ["--format", report]
    for more in options.cltestcheck_args:
        words += shlex.split(more)
    words += ["--"] + how_started(args) + without_ours(args)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(words[0], words)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Before pytest takes standard output away, and before conftest.py is loaded."""
    options = early_config.known_args_namespace
    mode = mode_of(options)
    idle = options.help or getattr(options, "version", False) or getattr(options, "collectonly", False)
    if mode and not idle and not any(name in os.environ for name in (SOCKET, LIST, TEST_CASE)):
        start_again(mode, early_config)
    yield


# --- one test alone ---------------------------------------------------------------------------------------------------


def takes_value(config):
    """Names of all options that have a value in the word after them."""
    names = set()
    parser = config._parser
    for group in [parser._anonymous] + list(parser._groups):
        for option in group.options:
            attrs = option.attrs()
            if attrs.get("action", "store") in ("store", "append") and attrs.get("nargs") != 0:
                names.update(option.names())
    return names


def single_test_command(config):
    """What runs one test, but for the name of the test: this command line without its files and folders."""
    args = [str(a) for a in config.invocation_params.args]
    positional = set(config.getoption("file_or_dir", None) or [])
    valued = takes_value(config)
    kept = []
    before = ""
    for word in without_ours(args):
        chosen = before in valued
        positional_word = word in positional and not chosen
        choosing = word[:2] in CHOOSING or (chosen and before in CHOOSING)
        before = word
        if not positional_word and not choosing and word not in ("--collect-only", "--co"):
            kept.append(word)
    if config.pluginmanager.hasplugin("xdist") and config.getoption("numprocesses", None):
        kept += ["-n", "0"]
    return how_started(args) + kept


def name_here(config, item):
    """The node id, with a path from the folder in which pytest was started."""
    path, separator, rest = item.nodeid.partition("::")
    start = str(getattr(config.invocation_params, "dir", os.getcwd()))
    root = str(getattr(config, "rootpath", None) or config.rootdir)
    return os.path.relpath(os.path.join(root, path), start) + separator + rest


def as_line(words):
    """As cltestcheck writes a command."""
    plain = re.compile(r"[A-Za-z0-9_\-+=./:,@%]+\Z")
    return " ".join(w if plain.match(w) else "'" + w.replace("'", "'\\''") + "'" for w in words)


def pytest_collection_finish(session):
    if LIST not in os.environ:
        return
    command = single_test_command(session.config)
    tests = [{"name": i.nodeid, "command": command + [name_here(session.config, i)]} for i in session.items]
    with open(os.environ[LIST], "w", encoding="utf-8") as out:
        json.dump({"tests": tests}, out)


# --- telling the layer --------------------------------------------------------------------------------------------


class Layer:
    """The layer's functions; see cltestcheck.h."""

    def __init__(self):
        library = ctypes.CDLL(os.environ[LAYERS].split(":")[0])
        self.begin_function = library.cltestcheck_layer_begin
        self.begin_function.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self.begin_function.restype = None
        self.end_function = library.cltestcheck_layer_end
        self.end_function.argtypes = [ctypes.c_int]
        self.end_function.restype = None

    def begin(self, name, command):
        self.begin_function(os.fsencode(name), os.fsencode(command))
        os.environ[TEST_CASE] = name  # for processes that the test starts
        os.environ[TEST_COMMAND] = command

    def end(self, status):
        os.environ.pop(TEST_CASE, None)
        os.environ.pop(TEST_COMMAND, None)
        self.end_function(status)


class Namer:
    """Tells the layer which test runs, and how it ended."""

    def __init__(self, config):
        self.config = config
        self.layer = Layer()
        self.command = json.loads(os.environ.get(COMMAND, '["pytest"]'))
        self.failed = False

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.failed = False
        self.layer.begin(item.nodeid, as_line(self.command + [name_here(self.config, item)]))
        outcome = yield
        self.layer.end(1 if self.failed or outcome.excinfo else 0)

    def pytest_runtest_logreport(self, report):
        self.failed = self.failed or report.failed


class Header:
    def pytest_report_header(self):
        return "cltestcheck: coverage of OpenCL kernels, test by test"


def pytest_configure(config):
    if not mode_of(config.option) or SOCKET not in os.environ or TEST_CASE in os.environ:
        return
    worker = hasattr(config, "workerinput")
    if not worker:
        os.environ[COMMAND] = json.dumps(single_test_command(config))
        if mode_of(config.option) == "coverage":
            config.pluginmanager.register(Header(), "cltestcheck-header")
    config.pluginmanager.register(Namer(config), "cltestcheck-namer")
