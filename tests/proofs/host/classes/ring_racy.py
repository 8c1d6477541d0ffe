"""A launch whose size is an argument, in Python; more than that, so that work-items meet."""
import numpy as np
import pyopencl as cl

n = 64
context = cl.create_some_context()
queue = cl.CommandQueue(context)
with open("size_of_argument.cl", encoding="utf-8") as file:
    program = cl.Program(context, file.read()).build()
out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, 4 * n)
program.ring(queue, (2 * n,), None, out, np.uint32(n), np.uint32(0))
