import numpy as np
import pyopencl as cl

ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
model = np.zeros(256, dtype=np.int32)
small = np.zeros(16, dtype=np.int32)
model.__setstate__(small.__reduce__()[2])
src = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=model)
dst = cl.Buffer(ctx, mf.READ_WRITE, size=1024)
prg.k(queue, (256,), (64,), src, dst)
