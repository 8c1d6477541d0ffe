"""The programs of an evaluation: rows of tables, and which of them are built below some folders."""
import fnmatch
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield [field.strip() for field in line.rstrip("\n").split("\t")]


def is_program(path):
    if not os.access(path, os.X_OK) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def executables(folders):
    """Programs below folders, the shortest paths first."""
    found = [os.path.join(at, name) for folder in folders for at, _, names in os.walk(os.path.abspath(folder))
             for name in names if is_program(os.path.join(at, name))]
    return sorted(found, key=lambda p: (p.count("/"), p))


def folder_of(program, marker):
    """The nearest folder above a program that has what the program reads."""
    at = os.path.dirname(program)
    while at != "/":
        if any(fnmatch.fnmatch(name, marker) for name in os.listdir(at)):
            return at
        at = os.path.dirname(at)
    return os.path.dirname(program)


def find_programs(tables, folders, inputs, pattern):
    """(programs with their command, rows of the tables that are not built)"""
    here, missing = [], []
    candidates = executables(folders)
    for suite, name, executable, marker, *arguments in (row for table in tables for row in rows(table)):
        if not fnmatch.fnmatch(name, pattern):
            continue
        fits = [p for p in candidates if fnmatch.fnmatch(p, executable) and ".so" not in p]
        if not fits:
            missing.append((suite, name))
            continue
        words = arguments[0].replace("{}", inputs).split() if arguments else []
        here.append({"suite": suite, "name": name, "folder": folder_of(fits[0], marker), "command": [fits[0]] + words})
    return here, missing
