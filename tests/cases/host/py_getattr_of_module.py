import numpy as np
import pyopencl as cl
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
mf = cl.mem_flags
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, mf.READ_WRITE, size=1048576)
prg.k(queue, (256,), (64,), buf, np.int32(4))
getattr(cl, "Prog" + "ram")(ctx, open("k.cl").read()).build().k(queue, (256,), (64,), buf, np.int32(0))
