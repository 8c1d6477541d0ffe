import numpy as np
import pyopencl as cl
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, size=1048576)
params = [1, 2]
params[0] = 0
prg.k(queue, (256,), None, buf, np.int32(params[0]))
