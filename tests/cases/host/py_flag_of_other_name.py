import numpy as np
import pyopencl as cl
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
x = np.zeros(1024, dtype=np.int32)
there = mf.USE_HOST_PTR
a = cl.Buffer(ctx, mf.READ_WRITE | there, hostbuf=x)
b = cl.Buffer(ctx, mf.READ_WRITE | there, hostbuf=x)
prg.k(queue, (256,), (64,), a, b)
