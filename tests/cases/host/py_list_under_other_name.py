import numpy as np
import pyopencl as cl
ctx = cl.create_some_context()
queue = cl.CommandQueue(ctx)
prg = cl.Program(ctx, open("k.cl").read()).build()
buf = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, size=1048576)
shape = [256, 1]
other = shape
other[1] = 2
prg.k(queue, shape, None, buf, np.int32(1))
