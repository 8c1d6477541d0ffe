"""For threads.sh: concurrent.futures with PyOpenCL: threads.py THREADS PIECES. With one thread it is the same work."""

import concurrent.futures
import random
import sys
import time

import numpy
import pyopencl as cl

COUNT = 64
THREADS, PIECES = int(sys.argv[1]), int(sys.argv[2])

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])


def piece(number):
    """Whichever thread is free does it."""
    data = (numpy.arange(COUNT, dtype=numpy.int32) * 7 + number * 13) % 101
    queue = cl.CommandQueue(context)
    memory = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
    source = "kernel void t%d(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = a[i] * %d + i; }"
    kernel = getattr(cl.Program(context, source % (number % 2, number % 2 + 3)).build(), "t%d" % (number % 2))
    time.sleep(random.random() / 500)
    kernel(queue, (COUNT,), (16,), memory, numpy.int32(COUNT - 3))
    got = numpy.empty_like(data)
    cl.enqueue_copy(queue, got, memory)
    return int(got.sum())


with concurrent.futures.ThreadPoolExecutor(max_workers=THREADS) as pool:
    print(list(pool.map(piece, range(PIECES))))
