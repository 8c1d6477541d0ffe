"""A small suite for the pytest plugin: what each test covers can be counted by hand.

Kernel `work` has 7 lines with code. Its first way covers 5 of them (1 to 4 and 7), its second 6 (1 to 3 and 5 to 7)."""
import os
import subprocess
import sys

import numpy as np
import pyopencl as cl
import pytest

SOURCE = """__kernel void work(__global int *out, int limit) {
  int i = get_global_id(0);
  if (i < limit)
    out[i] = i;
  else
    out[i] = -i;
}
"""


class Device:
    def __init__(self):
        self.context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, SOURCE).build()
        self.memory = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, 32)

    def launch(self, limit):
        self.program.work(self.queue, (8,), None, self.memory, np.int32(limit))

    def read(self):
        out = np.empty(8, np.int32)
        cl.enqueue_copy(self.queue, out, self.memory)
        return out


@pytest.fixture(scope="session")
def device():
    return Device()


@pytest.fixture
def negated(device):
    """Launches in setup, for the test that asks for it."""
    device.launch(0)
    return device


def test_no_opencl():
    assert 1 + 1 == 2


@pytest.mark.parametrize("limit", [8, 0, 4])
def test_limits(device, limit):
    device.launch(limit)
    assert list(device.read()) == [i if i < limit else -i for i in range(8)]


class TestClass:
    def test_fixture(self, negated):
        assert negated.read()[7] == -7

    @pytest.mark.xfail
    def test_expected_to_fail(self, device):
        device.launch(8)
        assert device.read()[0] == 1

    @pytest.mark.skip(reason="never")
    def test_skipped(self, device):
        device.launch(4)


@pytest.mark.skipif("KERNELS_FAIL" not in os.environ, reason="only where a failing test is wanted")
def test_that_fails(device):
    device.launch(4)
    assert device.read()[0] == 1


def test_not_waited_for(device):
    device.launch(8)


def test_it_checks_nothing(device):
    device.launch(0)
    device.read()


def test_process():
    code = "import kernels_sample; d = kernels_sample.Device(); d.launch(8); print(d.read()[7])"
    here = os.path.dirname(os.path.abspath(__file__))
    assert subprocess.run([sys.executable, "-c", code], cwd=here, stdout=subprocess.PIPE).stdout == b"7\n"
