import numpy as np
import pyopencl as cl

ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
k = prg.k
k.set_args(buf)
cl.enqueue_nd_range_kernel(queue, k, (256,), (64,), None, None, True)
