import numpy as np
import pyopencl as cl
import builtins
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
n = 4
getattr(builtins, "exec")("n = 0")
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
prg.k(queue, (256,), (64,), buf, np.int32(n))
