## Programs with PyOpenCL: names that are bound once to numbers, arrays and buffers.
##+ plain: get_global_size(0) == 1024
##+ plain: get_local_size(0) == 64
##+ plain: get_global_offset(0) == 0
##+ plain: $2 == 1024
##+ plain: elements($0) == 1024
##+ plain: elements($1) == 1024
##a plain: 0 1 -1
##+ shaped: get_global_size(0) == 32
##+ shaped: get_global_size(1) == 48
##- shaped: get_local_size(0) == 32
##+ named: get_global_size(0) == 512
##+ named: $1 == -3
##+ held: get_local_size(1) == 4
##a aliased: -1 -1
##- rebound: get_global_size(0) == 8
##- rebound: $0 == 8
##- counted: $0 == 0
##- given: $0 == 5
##- scaled: get_global_size(0) == 64
##- moved: get_global_offset(0) == 0
##- resized: get_global_size(0) == 100
##- wide: $0 == 300
##- spread: get_local_size(0) == 0
##+ queued: get_global_size(0) == 256
##- typed: $0 == 7
##+ part: elements($0) == 16
##- part: elements($0) == 1024
import numpy as np
import pyopencl as cl

N = 1024
SHAPE = (N // 2,)
context = cl.create_some_context()
queue = cl.CommandQueue(context)
flags = cl.mem_flags
data = np.random.rand(N).astype(np.float32)
given = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=data)
made = cl.Buffer(context, flags.WRITE_ONLY, data.nbytes)
lent = cl.Buffer(context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=data)
lent_too = cl.Buffer(context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=data)
prg = cl.Program(context, "").build()

prg.plain(queue, data.shape, (64,), given, made, np.int32(N))

grid = np.zeros((32, 48), dtype=np.float64)
prg.shaped(queue, grid.shape, None, made)

three = -3
prg.named(queue, SHAPE, None, made, np.int64(three))

held = prg.held
held(queue, (64, 8), (16, 4), made)

prg.aliased(queue, (4,), None, lent, lent_too)

rebound = 8
rebound = len(data) // 128
prg.rebound(queue, (rebound,), None, np.int32(rebound))

for turn in range(2):
    prg.counted(queue, (4,), None, np.int32(turn))


def run(number=5):
    import pyopencl as cl  # the same once more
    prg.given(queue, (4,), None, np.int32(number))


run()
prg.scaled(queue, (64,), (2,), made, g_times_l=True)
prg.moved(queue, (64,), None, made, global_offset=(3,))

long = np.zeros(100)
long.resize(200)
prg.resized(queue, long.shape, None, made)

prg.wide(queue, (4,), None, np.uint8(300))

parts = (made,)
prg.spread(queue, (4,), None, *parts)

queued = cl.Kernel(prg, "queued")
queued.set_args(made)
cl.enqueue_nd_range_kernel(queue, queued, (256,), None)

prg.typed(queue, (4,), None, 7)

part = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, 64, data)
prg.part(queue, (4,), None, part)
