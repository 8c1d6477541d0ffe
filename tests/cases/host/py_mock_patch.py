import numpy as np
import pyopencl as cl
from unittest import mock
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
n = 4
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
with mock.patch("__main__.n", 0):
    prg.k(queue, (256,), (64,), buf, np.int32(n))
