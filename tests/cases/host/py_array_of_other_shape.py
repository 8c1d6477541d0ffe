import numpy as np
import pyopencl as cl
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
model = np.zeros(1024, dtype=np.int32)
small = np.zeros_like(model, shape=16)
b = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=small)
prg.k(queue, (256,), (64,), b, np.int32(256))
