"""Launches of kernels in a program with PyOpenCL: python3 -c THIS FILE

Reads the text and runs nothing. A name counts for what it is bound to if the file binds it once. Prints records, a line
each, with fields divided by tabs; proofs/host/host.c reads them:
  launch LINE KERNEL DIMENSIONS LOCAL0 LOCAL1 LOCAL2 GLOBAL0 GLOBAL1 GLOBAL2 OFFSET OPTIONS
      KERNEL "": not known; numbers 0: not known; OFFSET 1: it is 0; OPTIONS "?": not known, else with a "=" in front
  argument KIND SIZE SIGNED MEMORY    of the launch above, in order; MEMORY -1: not known
  value INDEX NUMBER LINE             an argument is a number
  elements INDEX COUNT SIZE LINE      memory has so many elements, where they have SIZE bytes
  note LINE TEXT                      what was not followed
  incomplete LINE TEXT                the same, and it may launch kernels
  error TEXT
"""
import ast
import sys

QUIET = {"set_scalar_arg_dtypes", "set_args", "set_arg", "get_info", "get_work_group_info"}  # of a kernel: no launch
LAUNCHERS = {"Program", "Kernel", "enqueue_nd_range_kernel"}
INTEGERS = {"int8": (1, 1), "int16": (2, 1), "int32": (4, 1), "int64": (8, 1),
            "uint8": (1, 0), "uint16": (2, 0), "uint32": (4, 0), "uint64": (8, 0)}
REALS = {"float16": 2, "float32": 4, "float64": 8, "single": 4, "double": 8}
SIZES = dict({name: size for name, (size, _) in INTEGERS.items()}, **REALS)
RANDOM = {"random", "random_sample", "standard_normal"}  # of a shape
READERS = {"len", "int", "str", "print", "tuple", "min", "max", "sum", "range"}  # built in: of a list that they leave as it is
LOOKS = {"shape", "size", "nbytes", "dtype", "ndim", "itemsize", "astype", "copy", "fill", "sum", "min", "max", "mean", "all",
         "any", "tolist", "tobytes", "flatten"}  # of an array: they leave its shape
CHANGERS = {"resize", "ndarray"}  # of numpy
MAKERS = {"zeros", "ones", "empty", "full", "array", "asarray"}  # the same of numpy
HARMLESS = {"wait_for", "allow_empty_ndrange"}  # words of a launch that change no size
DYNAMIC = {"exec", "eval", "globals", "locals", "vars", "setattr", "delattr"}
HIDDEN = DYNAMIC | {"__dict__", "__globals__", "__setattr__", "f_globals", "f_locals", "modules", "_cl"}  # as attributes


def tail(node):
    """The last name of `a.b.c`, and `c`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def pairs(target, value):
    """What an assignment binds."""
    if isinstance(target, (ast.Tuple, ast.List)):
        same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        whole = same and not any(isinstance(x, ast.Starred) for x in target.elts + value.elts)
        for i, part in enumerate(target.elts):
            yield from pairs(part, value.elts[i] if whole else None)
    elif isinstance(target, ast.Starred):
        yield from pairs(target.value, None)
    elif isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Attribute):  # `a.shape = ...` makes another array of it
        yield target.attr, None  # `__main__.n = ...` is one of `n`
        root = target
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name):
            yield root.id, None


class Program:
    def __init__(self, tree):
        self.bound = {}  # name: the values that it gets; None is one that is not known
        self.numpy, self.opencl = set(), set()  # names of these modules
        self.modules = {}  # name: module
        self.used = set()  # nodes of names of programs and kernels whose use is understood
        self.made = set()  # calls that make programs and kernels of which all uses are seen
        self.records = []
        self.memories = {}  # calls that make a memory object, once, with numbers
        self.depth = 0
        self.tree = tree
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            self.bind(node)
        self.drop_lists()
        self.drop_arrays()

    # --- names ----------------------------------------------------------------------------------------------------

    def bind(self, node):
        found = []
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found += pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            found += pairs(node.target, node.value) if node.value is not None else []
        elif isinstance(node, ast.NamedExpr):
            found += pairs(node.target, node.value)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension)):
            found += pairs(node.target, None)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            found += pairs(node.optional_vars, None)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                found += pairs(target, None)
        elif isinstance(node, ast.arg):
            found.append((node.arg, None))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append((node.name, None))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.append((node.name, None))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.bind_import(node)
        elif type(node).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
            found.append((getattr(node, "name", None) or getattr(node, "rest", None), None))
        elif isinstance(node, ast.Call) and tail(node.func) == "resize" and isinstance(node.func, ast.Attribute):
            found += pairs(ast.Attribute(value=node.func.value, attr="shape"), None)
        for name, value in found:
            self.bound.setdefault(name, []).append(value)

    def drop_lists(self):
        """A list may change wherever it is not only read: then its name counts for nothing."""
        names = [x for x in ast.walk(self.tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)]
        for node in names:
            parent = self.parents[node]
            read = isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Load)
            given = isinstance(parent, ast.Call) and node in parent.args and self.only_reads(parent, node)
            if isinstance(self.once(node.id), ast.List) and not read and not given:
                self.bound[node.id].append(None)

    def drop_arrays(self):
        """An array has the shape that it was made with where its name is used in known ways alone."""
        names = [x for x in ast.walk(self.tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)]
        for node in names:
            if isinstance(self.once(node.id), ast.Call) and self.array(node)[0] is not None and not self.keeps_shape(node):
                self.bound[node.id].append(None)

    def keeps_shape(self, node):
        parent = self.parents[node]
        if isinstance(parent, ast.keyword):
            return parent.arg == "hostbuf"
        if isinstance(parent, ast.Attribute):
            return parent.attr in LOOKS
        if isinstance(parent, ast.Call) and node in parent.args:
            numpy = self.of_module(parent.func, self.numpy)
            return self.of_module(parent.func, self.opencl) is not None or (numpy is not None and numpy not in CHANGERS) or \
                (isinstance(parent.func, ast.Name) and parent.func.id in READERS and parent.func.id not in self.bound)
        return isinstance(parent, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.BoolOp, ast.Assert, ast.If, ast.While, ast.FormattedValue)) \
            or (isinstance(parent, ast.Subscript) and parent.value is node)

    def only_reads(self, call, node):
        """Whether the function leaves the list that it is given as it is."""
        if isinstance(call.func, ast.Name) and call.func.id in READERS:
            return call.func.id not in self.bound
        size = len(call.args) >= 3 and node in call.args[1:3]
        return self.of_module(call.func, self.numpy) in MAKERS or self.of_module(call.func, self.opencl) is not None or \
            (size and self.kernel(call.func) is not None)

    def bind_import(self, node):
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            module = alias.name if alias.asname else name
            known = self.modules.get(name) if isinstance(node, ast.Import) else None
            if known is None or known != module:  # one module again is nothing new
                self.bound.setdefault(name, []).append(None)
            if isinstance(node, ast.Import):
                self.modules.setdefault(name, module)
                if module in ("numpy", "pyopencl"):
                    (self.numpy if module == "numpy" else self.opencl).add(name)

    def once(self, name):
        values = self.bound.get(name, [])
        return values[0] if len(values) == 1 else None

    def follow(self, node):
        """The expression that a name stands for."""
        steps = 0
        while isinstance(node, ast.Name) and steps < 50:
            value = self.once(node.id)
            if value is None:
                return node
            node, steps = value, steps + 1
        return node

    def of_module(self, node, modules):
        """The name `f` of `np.f`, of `np.random.f`, where np is that module and nothing else."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        known = isinstance(root, ast.Name) and root.id in modules and len(self.bound[root.id]) == 1
        return node.attr if known and isinstance(node, ast.Attribute) else None

    # --- numbers and arrays ---------------------------------------------------------------------------------------

    def number(self, node):
        self.depth += 1
        value = self.compute(self.follow(node)) if self.depth < 100 else None
        self.depth -= 1
        return value

    def compute(self, node):
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.number(node.operand)
            return None if value is None else -value
        if isinstance(node, ast.BinOp):
            return self.compute_two(node)
        if isinstance(node, ast.Call) and tail(node.func) in ("len", "int") and isinstance(node.func, ast.Name) and \
                len(node.args) == 1 and node.func.id not in self.bound:
            if node.func.id == "int":
                return self.number(node.args[0])
            shape, _ = self.array(node.args[0])
            return shape[0] if shape else None
        if isinstance(node, ast.Attribute) and node.attr in ("size", "nbytes"):
            shape, size = self.array(node.value)
            count = product(shape)
            return count if node.attr == "size" or count is None else None if size is None else count * size
        if isinstance(node, ast.Subscript):
            return self.element(node)
        return None

    def compute_two(self, node):
        a, b = self.number(node.left), self.number(node.right)
        if a is None or b is None:
            return None
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and b == 0:
            return None
        ways = {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b, ast.FloorDiv: lambda: a // b,
                ast.Mod: lambda: a % b, ast.Pow: lambda: a ** b if 0 <= b < 64 and abs(a) < 2 ** 32 else None}
        way = ways.get(type(node.op))
        value = way() if way else None
        return value if value is not None and abs(value) < 2 ** 63 else None

    def element(self, node):
        index = self.number(node.slice)
        values = self.sizes(node.value)
        return values[index] if values and index is not None and -len(values) <= index < len(values) else None

    def sizes(self, node):
        """A tuple of numbers, some of them None; None: not known."""
        node = self.follow(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            starred = any(isinstance(x, ast.Starred) for x in node.elts)
            return None if starred else [self.number(x) for x in node.elts]
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            return self.array(node.value)[0]
        value = self.number(node)
        return None if value is None else [value]

    def type_size(self, node):
        node = self.follow(node)
        name = node.value if isinstance(node, ast.Constant) else self.of_module(node, self.numpy)
        return SIZES.get(name) if isinstance(name, str) else None

    def array(self, node):
        """Its shape and the bytes of an element, None where they are not known."""
        self.depth += 1
        found = self.make_array(self.follow(node)) if self.depth < 100 else (None, None)
        self.depth -= 1
        return found

    def make_array(self, node):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None, None
        words = {k.arg: k.value for k in node.keywords}
        name, given = node.func.attr, node.args
        own = self.of_module(node.func, self.numpy)
        if any(isinstance(x, ast.Starred) for x in given) or set(words) - {"dtype", "order", "copy", "casting"}:
            return None, None  # another word may change its shape
        if own is None:
            shape, size = self.array(node.func.value)
            if name == "astype" and len(given) == 1:
                return shape, self.type_size(given[0])
            return (shape, size) if name == "copy" else (None, None)
        kind = words.get("dtype")
        size = None if kind is None else self.type_size(kind)
        if own in ("zeros", "ones", "empty") and given:
            if kind is None:
                size = self.type_size(given[1]) if len(given) > 1 else 8
            return self.known(self.sizes(given[0])), size
        if own in ("zeros_like", "ones_like", "empty_like") and len(given) == 1:
            shape, like = self.array(given[0])
            return shape, size if kind is not None else like
        if own == "arange" and len(given) == 1:
            count = self.number(given[0])
            return ([count] if count is not None and count >= 0 else None), size
        if own == "linspace" and len(given) == 3:
            return self.known(self.sizes(given[2])), size if kind is not None else 8
        if own == "rand":
            return self.known([self.number(x) for x in given]), 8
        if own in RANDOM and len(given) == 1 and kind is None:
            return self.known(self.sizes(given[0])), 8
        return None, None

    @staticmethod
    def known(shape):
        return shape if shape and all(x is not None and x >= 0 for x in shape) else None

    # --- programs and kernels -------------------------------------------------------------------------------------

    def program(self, node):
        """The options of a program, as a list of one text or None; None: it is no program."""
        options, made = [""], self.follow(node)
        if isinstance(node, ast.Name) and made is not node:
            self.used.add(node)
        builds = 0
        while isinstance(made, ast.Call) and tail(made.func) == "build" and isinstance(made.func, ast.Attribute):
            builds += 1
            options = self.options(made) if builds == 1 else [None]
            made = self.follow(made.func.value)
        fine = self.makes(made, "Program")
        if fine:
            self.made.add(made)
        return options if fine else None

    def makes(self, node, what):
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and \
            self.of_module(node.func, self.opencl) == what

    def options(self, build):
        words = {k.arg: k.value for k in build.keywords}
        given = build.args[0] if build.args else words.get("options")
        if len(build.args) > 1 or None in words:
            return [None]
        node = None if given is None else self.follow(given)
        if node is None:
            return [""]
        parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        texts = [x.value if isinstance(x, ast.Constant) and isinstance(x.value, str) else None for x in parts]
        return [None] if None in texts else [" ".join(texts)]

    def built_apart(self, node):
        """`prg.build(...)` as a statement of its own: its options are those."""
        name = node.id if isinstance(node, ast.Name) else None
        found = []
        for call in ast.walk(self.tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "build" and \
                    isinstance(call.func.value, ast.Name) and call.func.value.id == name and name is not None:
                self.used.add(call.func.value)
                found.append(self.options(call)[0])
        return found

    def kernel(self, node):
        """Its name and options; None: it is no kernel."""
        made = self.follow(node)
        if isinstance(node, ast.Name) and made is not node:
            self.used.add(node)
        if isinstance(made, ast.Attribute):
            options, name, of = self.program(made.value), made.attr, made.value
        elif self.makes(made, "Kernel") and len(made.args) == 2:
            self.made.add(made)
            text = self.follow(made.args[1])
            name = text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""
            options, of = self.program(made.args[0]), made.args[0]
        else:
            return None
        if options is None or (isinstance(made, ast.Attribute) and name in ("build", "all_kernels", "get_info")):
            return None
        apart = self.built_apart(of)
        options = options[0] if not apart else apart[0] if len(set(apart)) == 1 else None
        return name, options

    # --- launches -------------------------------------------------------------------------------------------------

    def say(self, *fields):
        self.records.append("\t".join(str(x).replace("\t", " ").replace("\n", " ") for x in fields))

    def argument(self, index, node):
        made = self.follow(node)
        at = (node.lineno,)
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):
            plain, own = self.of_module(made.func, self.numpy), self.of_module(made.func, self.opencl)
            if plain in INTEGERS and len(made.args) == 1:
                size, signed = INTEGERS[plain]
                value = self.number(made.args[0])
                fits = value is not None and -(2 ** (8 * size - 1)) * signed <= value < 2 ** (8 * size - signed)
                return ("value", size, signed, -1), [("value", index, value) + at] if fits else []
            if plain in REALS:
                return ("other", REALS[plain], 0, -1), []
            if own == "LocalMemory" and len(made.args) == 1:
                count = self.number(made.args[0])
                return ("local", 0, 0, -1), self.elements(index, count, at)
            if own == "Buffer":
                return self.buffer(index, node, made, at)
        return ("unknown", 0, 0, -1), []

    def buffer(self, index, node, made, at):
        words = {k.arg: k.value for k in made.keywords}
        given = dict(zip(("context", "flags", "size", "hostbuf"), made.args))
        given.update(words)
        count = self.number(given["size"]) if "size" in given else 0
        if count == 0 and "hostbuf" in given:  # a size that is given is the buffer's, whatever the array's is
            shape, size = self.array(given["hostbuf"])
            count = product(shape) * size if shape and size else None
        flags = self.flags(given["flags"]) if "flags" in given else None
        single = flags is not None and "USE_HOST_PTR" not in flags and isinstance(node, ast.Name) and not self.repeated(made)
        memory = self.memories.setdefault(made, len(self.memories)) if single else -1
        return ("memory", 8, 0, memory), self.elements(index, count, at)

    def flags(self, node):
        """The names of flags of memory that are put together; None: not all are known."""
        node = self.follow(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            left, right = self.flags(node.left), self.flags(node.right)
            return None if left is None or right is None else left | right
        known = isinstance(node, ast.Attribute) and self.of_module(self.follow(node.value), self.opencl) == "mem_flags"
        return {node.attr} if known else None

    def repeated(self, made):
        """Whether it may be made more than once: then a name may stand for one of several."""
        for loop in ast.walk(self.tree):
            inside = isinstance(loop, (ast.For, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.AsyncFor))
            if inside and any(x is made for x in ast.walk(loop)):
                return True
        return False

    def elements(self, index, count, at):
        return [("elements", index, count // size, size) + at for size in (1, 2, 4, 8, 16)
                if count is not None and count > 0 and count % size == 0]

    def launch(self, call, kernel, sizes, arguments, plain=True):
        name, options = kernel
        words = [k.arg for k in call.keywords]
        plain = plain and all(w in HARMLESS for w in words)  # else there may be an offset, or groups in place of work-items
        whole = self.sizes(sizes[0]) if plain else None
        local = self.sizes(sizes[1]) if plain else None
        dimensions = len(whole) if whole and len(whole) <= 3 else 0
        positive = [x if x is not None and x > 0 else 0 for x in (whole or [])[:3]] + [0, 0, 0]
        group = [x if x is not None and x > 0 else 0 for x in (local or [])[:3]] + [0, 0, 0]
        for d in range(dimensions, 3):
            positive[d] = group[d] = 1 if dimensions else 0
        self.say("launch", call.lineno, name, dimensions, *group[:3], *positive[:3], int(plain),
                 "?" if options is None else "=" + options)
        if arguments is None or any(isinstance(x, ast.Starred) for x in arguments):
            return
        facts = []
        for i, node in enumerate(arguments):
            kind, own = self.argument(i, node)
            self.say("argument", *kind)
            facts += own
        for fact in facts:
            self.say(*fact)

    def read(self):
        for name in sorted(self.opencl):
            if len(self.bound[name]) > 1:
                self.say("incomplete", 1, "%s is pyopencl and something else" % name)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and tail(node.func) in ("import_module", "__import__"):
                self.say("incomplete", node.lineno, "a module is imported by a name that is computed")
            if isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
                return self.say("incomplete", node.lineno, "import * may change any name")
            if isinstance(node, ast.ImportFrom) and any(a.name in LAUNCHERS or a.name[0] == "_" for a in node.names):
                self.say("incomplete", node.lineno, "names imported from %s are not followed" % (node.module or "."))
            self.read_hidden(node)
            if isinstance(node, ast.Name) and node.id in DYNAMIC and node.id not in self.bound:
                return self.say("incomplete", node.lineno, node.id + " may change any name")
            if isinstance(node, ast.Attribute) and node.attr in HIDDEN:
                return self.say("incomplete", node.lineno, node.attr + " may change any name")
        for call in ast.walk(self.tree):
            if not isinstance(call, ast.Call):
                continue
            if isinstance(call.func, ast.Attribute) and call.func.attr in QUIET:
                self.kernel(call.func.value)
            if self.makes(call, "enqueue_nd_range_kernel") and len(call.args) >= 4:
                kernel = self.kernel(call.args[1])
                self.launch(call, kernel or ("", None), call.args[2:4], None, len(call.args) == 4)
            elif len(call.args) >= 3 and not any(isinstance(x, ast.Starred) for x in call.args[:3]):
                kernel = self.kernel(call.func)
                if kernel is not None:
                    self.launch(call, kernel, call.args[1:3], call.args[3:])
        self.read_rest()

    def read_hidden(self, node):
        """What makes programs, under another name or as a value."""
        parent = self.parents.get(node)
        typed = isinstance(parent, (ast.arg, ast.AnnAssign)) and parent.annotation is node
        called = isinstance(parent, ast.Call) and parent.func is node and self.of_module(node, self.opencl) is not None
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if "__main__" in text and not isinstance(parent, ast.Compare):
            self.say("incomplete", node.lineno, "a text that names __main__ may change any name")
        if "PYOPENCL_BUILD_OPTIONS" in text:
            self.say("incomplete", node.lineno, "options of the environment are not followed")
        if isinstance(node, ast.Name) and node.id in self.modules and not isinstance(parent, ast.Attribute):
            self.say("incomplete", node.lineno, "%s is used in a way that is not followed" % node.id)
        elif isinstance(node, ast.Attribute) and node.attr in LAUNCHERS and not called and not typed:
            self.say("incomplete", node.lineno, "%s is used in a way that is not followed" % node.attr)

    def read_rest(self):
        """Other uses of programs and kernels may launch some."""
        names = {name for name in self.bound if self.holds(name)}
        for name in names:
            if self.once(name) is not None and self.program(self.once(name)) is None:
                self.kernel(self.once(name))
        for node in ast.walk(self.tree):
            if (self.makes(node, "Program") or self.makes(node, "Kernel")) and node not in self.made:
                self.say("incomplete", node.lineno, "the program is kept in a way that is not followed")
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names and node not in self.used:
                self.say("incomplete", node.lineno, "%s is used in a way that is not followed" % node.id)

    def holds(self, name):
        kinds = []
        for value in self.bound[name]:
            text = ast.dump(value) if value is not None else ""
            kinds.append("attr='Program'" in text or "attr='Kernel'" in text or
                         (isinstance(value, ast.Attribute) and self.program(value.value) is not None))
        return any(kinds)


def product(shape):
    if shape is None:
        return None
    count = 1
    for x in shape:
        count *= x
    return count


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, UnicodeDecodeError) as why:
        print("error\t" + str(why).replace("\t", " ").replace("\n", " "))
        return
    program = Program(tree)
    program.read()
    print("\n".join(program.records))


main()
