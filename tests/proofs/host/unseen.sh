#!/bin/sh
# unseen.sh BUILD SOURCE: host programs that launch a kernel, or change what it gets, in ways that are not followed: each has a launch
# of a kernel that is not known, or says nothing of n; and programs that look alike and say that n is 1.
LC_ALL=C.UTF-8
export LC_ALL
show=$(cd "$1" && pwd)/host_show
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
cat >mini.h <<'X'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static cl_context x;
static cl_command_queue q;
static cl_program p;
static cl_device_id d;
static cl_kernel k;
static cl_mem a;
static cl_platform_id pl;
static void setup(void) {
  const char *t = "";
  p = clCreateProgramWithSource(x, 1, &t, 0, 0);
  clBuildProgram(p, 1, &d, "", 0, 0);
  k = clCreateKernel(p, "k", 0);
  a = clCreateBuffer(x, CL_MEM_READ_WRITE, 65536, 0, 0);
  clSetKernelArg(k, 0, sizeof a, &a);
}
#define SETN clSetKernelArg(k, 1, sizeof(int), &n)
static const size_t g = 64, l = 16;
#define RUN clEnqueueNDRangeKernel(q, k, 1, 0, &g, &l, 0, 0, 0)
#define SIZES q, k, 1, 0, &g, 0, 0, 0, 0
typedef const size_t *sizes;
typedef cl_int launch_type(cl_command_queue, cl_kernel, cl_uint, sizes, sizes, sizes, cl_uint, const cl_event *, cl_event *);
typedef launch_type *launch_fn;
typedef cl_int (*set_fn)(cl_kernel, cl_uint, size_t, const void *);
X

# look NAME: what is said of the program that comes in
look() {
  { case $1 in *.py) ;; *) echo '#include "mini.h"' ;; esac; cat; } >"$1"
  "$show" "$1" >out 2>&1
  one=$(grep -c '\$1 == 1 ' out)
  last=$(tail -n 1 out)
}

hostile() {
  look "$1"
  case $one/$last in
  [1-9]*"/1 launches, 0 of unknown kernels" | */) echo "FAIL $1: $one, $last"; cat out; failed=1 ;;
  esac
}

clean() {
  look "$1"
  case $one/$last in
  [1-9]*", 0 of unknown kernels") ;;
  *) echo "FAIL $1: $one, $last"; cat out; failed=1 ;;
  esac
}

hostile table.c <<'X'
static struct { launch_fn f; } api = { clEnqueueNDRangeKernel };
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; api.f(SIZES); return 0; }
X
hostile parameter.c <<'X'
static void go(launch_fn f) { f(SIZES); }
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; go(clEnqueueNDRangeKernel); return 0; }
X
hostile choice.c <<'X'
int main(int c, char **v) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; (c > 1 ? clEnqueueNDRangeKernel : (launch_fn)0)(SIZES); return 0; }
X
hostile dlsym.c <<'X'
#include <dlfcn.h>
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; void *h = dlopen("libOpenCL.so.1", RTLD_NOW); launch_fn f; *(void **)&f = dlsym(h, "clEnqueueNDRangeKernel"); f(SIZES); return 0; }
X
hostile extension.c <<'X'
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; launch_fn f = (launch_fn)clGetExtensionFunctionAddressForPlatform(pl, "clEnqueueNDRangeKernel"); f(SIZES); return 0; }
X
hostile setter.c <<'X'
int main(void) {
  setup(); int n = 1; SETN; set_fn s = clSetKernelArg; n = 0; s(k, 1, sizeof n, &n); RUN; return 0; }
X
hostile asm_label.c <<'X'
int n = 1; extern int m __asm__("n");
int main(void) {
  setup(); m = 0; SETN; RUN; return 0; }
X
hostile pragma_weak.c <<'X'
int n = 1; extern int m;
#pragma weak m = n
int main(void) {
  setup(); m = 0; SETN; RUN; return 0; }
X
hostile destructor.c <<'X'
static int n = 1;
__attribute__((destructor)) static void after(void) { n = 0; SETN; RUN; }
int main(void) {
  setup(); SETN; RUN; return 0; }
X
hostile init_array.c <<'X'
static int n = 1; static void before(void) { n = 0; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = before;
int main(void) {
  setup(); SETN; RUN; return 0; }
X
hostile weak.c <<'X'
__attribute__((weak)) int n = 1;
int main(void) {
  setup(); SETN; RUN; return 0; }
X
hostile alias_function.c <<'X'
static int n = 1; void real(void) { n = 0; }
void other(void) __attribute__((alias("real"), constructor));
int main(void) {
  setup(); SETN; RUN; return 0; }
X
hostile extern.c <<'X'
extern int n;
int main(void) {
  setup(); SETN; RUN; return 0; }
X
hostile setjmp.c <<'X'
#include <setjmp.h>
static jmp_buf j; static void leave(void) { longjmp(j, 1); }
int main(void) {
  setup(); int n = 1; static int turn; if (setjmp(j) == 0) { SETN; } RUN; n = 0; SETN; if (turn++ == 0) leave(); return 0; }
X
hostile getopt.c <<'X'
#define _GNU_SOURCE
#include <getopt.h>
static int n = 1;
int main(int c, char **v) {
  static const struct option o[] = {{"zero", no_argument, &n, 0}, {0, 0, 0, 0}}; setup(); while (getopt_long(c, v, "", o, 0) != -1) {} SETN; RUN; return 0; }
X
hostile cleanup_launches.c <<'X'
static void run(int *n) { clSetKernelArg(k, 1, sizeof *n, n); RUN; }
int main(void) {
  setup(); { __attribute__((cleanup(run))) int z = 0; (void)z; } int n = 1; SETN; RUN; return 0; }
X
hostile top_asm.c <<'X'
int n = 1; extern int m;
__asm__(".globl m\n.set m, n");
int main(void) {
  setup(); m = 0; SETN; RUN; return 0; }
X
hostile union.c <<'X'
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; union { void *p; launch_fn f; } u; u.p = (void *)clEnqueueNDRangeKernel; u.f(SIZES); return 0; }
X
hostile loader.c <<'X'
extern launch_fn my_clEnqueueNDRangeKernel;
int load_opencl(void);
int main(void) {
  load_opencl(); setup(); int n = 1; SETN; RUN; n = 0; SETN; my_clEnqueueNDRangeKernel(SIZES); return 0; }
X
hostile memcpy.c <<'X'
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; launch_fn f; launch_fn t[1]; t[0] = clEnqueueNDRangeKernel; memcpy(&f, t, sizeof f); f(SIZES); return 0; }
X
hostile template.cpp <<'X'
template <class T> void go(T n) { clSetKernelArg(k, 1, sizeof n, &n); clEnqueueNDRangeKernel(q, k, n + 1, 0, &g, 0, 0, 0, 0); }
int main() {
  setup(); int n = 1; SETN; RUN; go(0); return 0; }
X
hostile function.cpp <<'X'
#include <functional>
int main() {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; std::function<launch_type> f = clEnqueueNDRangeKernel; f(SIZES); return 0; }
X
hostile thread.cpp <<'X'
#include <thread>
int main() {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; static std::thread t(clEnqueueNDRangeKernel, q, k, 1u, (const size_t *)0, &g, (const size_t *)0, 0u, (const cl_event *)0, (cl_event *)0); t.join(); return 0; }
X
hostile redefine.c <<'X'
extern cl_int hidden_launch(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *) __asm__("clEnqueueNDRangeKernel");
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; hidden_launch(SIZES); return 0; }
X
hostile gcc_only.c <<'X'
struct __attribute__((scalar_storage_order("big-endian"))) s { int n; };
int main(void) {
  setup(); struct s v = {1}; int n; memcpy(&n, &v, 4); SETN; RUN; return 0; }
X
hostile indirect_struct.c <<'X'
struct api { launch_fn f; }; static struct api table;
static void load(struct api *t) { t->f = clEnqueueNDRangeKernel; }
int main(void) {
  setup(); load(&table); int n = 1; SETN; RUN; n = 0; SETN; struct api *t = &table; t->f(SIZES); return 0; }
X
hostile returned.c <<'X'
static launch_fn get(void) { return clEnqueueNDRangeKernel; }
int main(void) {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; get()(SIZES); return 0; }
X
hostile ifunc.c <<'X'
static int n = 1; static void one(void) {} static void two(void) { n = 0; }
typedef void f(void); static f *pick(void) { return two; } void go(void) __attribute__((ifunc("pick")));
int main(void) {
  setup(); go(); SETN; RUN; return 0; }
X
hostile missing.c <<'X'
void elsewhere(cl_kernel k);
int main(void) {
  setup(); int n = 1; SETN; RUN; elsewhere(k); return 0; }
X
hostile lambda_pointer.cpp <<'X'
int main() {
  setup(); int n = 1; SETN; RUN; void (*f)(int) = [](int n) { SETN; RUN; }; f(0); return 0; }
X
hostile global_function.cpp <<'X'
#include <functional>
static std::function<launch_type> f = clEnqueueNDRangeKernel;
int main() {
  setup(); int n = 1; SETN; RUN; n = 0; SETN; f(SIZES); return 0; }
X
clean attributes.c <<'X'
__attribute__((noinline, cold)) __attribute__((format(printf, 1, 2))) static void say(const char *f, ...) { (void)f; }
__attribute__((noreturn)) static void fail(void) { exit(1); }
int main(int c, char **v) {
  __attribute__((unused)) int z; setup(); if (c > 5) fail(); int n __attribute__((aligned(8))) = 1; SETN; RUN; return 0; }
X
clean constructor.c <<'X'
static int m; __attribute__((constructor)) static void before(void) { m = 3; puts("x"); }
static int n = 1;
int main(void) {
  setup(); SETN; RUN; return m; }
X
clean cleanup.c <<'X'
static void done(char **p) { free(*p); }
int main(void) {
  setup(); __attribute__((cleanup(done))) char *text = malloc(4); int n = 1; SETN; RUN; return 0; }
X
clean getopt.c <<'X'
#include <getopt.h>
int main(int c, char **v) {
  int verbose = 0; const struct option o[] = {{"verbose", 0, 0, 'v'}, {0, 0, 0, 0}}; setup(); while (getopt_long(c, v, "v", o, 0) != -1) { verbose++; } int n = 1; SETN; RUN; return verbose > 9; }
X
clean std.cpp <<'X'
#include <vector>
#include <iostream>
#include <chrono>
#include <string>
int main() {
  setup(); std::vector<float> v(64); auto t = std::chrono::steady_clock::now(); int n = 1; SETN; RUN; std::string s("done"); std::cout << s << v[0] << std::endl; (void)t; return 0; }
X
clean event.c <<'X'
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static void CL_CALLBACK told(cl_event e, cl_int s, void *u) { *(int *)u = s; }
int main(void) {
  struct timeval t; gettimeofday(&t, 0); setup(); int n = 1, seen = 0; SETN; size_t g = 64, l = 16; cl_event e; clEnqueueNDRangeKernel(q, k, 1, 0, &g, &l, 0, 0, &e); clSetEventCallback(e, CL_COMPLETE, told, &seen); clFinish(q); sleep(0); return 0; }
X

if python3 -c '' 2>/dev/null; then
  py() {
    kind=$1 name=$2
    {
      cat <<'X'
import sys
import numpy as np
import pyopencl as cl
queue = cl.CommandQueue(cl.create_some_context())
program = cl.Program(queue.context, "").build()
a = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 65536)
n = 1
X
      cat
      echo 'program.k(queue, (64,), (16,), a, np.int32(n))'
    } >"$name.in"
    "$kind" "$name" <"$name.in"
  }
  py clean plain.py <<'X'
def say(text):
    print(text)
say(n)
X
  py hostile table.py <<'X'
table = {"k": program.k}
table["k"](queue, (64,), None, a, np.int32(0))
X
  py hostile parameter.py <<'X'
def go(f):
    f(queue, (64,), None, a, np.int32(0))
go(program.k)
X
  py hostile choice.py <<'X'
(program.k if len(sys.argv) > 1 else program.j)(queue, (64,), None, a, np.int32(0))
X
  py hostile attribute.py <<'X'
getattr(program, "k")(queue, (64,), None, a, np.int32(0))
X
  py hostile main_module.py <<'X'
import __main__
__main__.n = 0
X
  py hostile modules.py <<'X'
sys.modules[__name__].n = 0
X
  py hostile dictionary.py <<'X'
sys.modules[__name__].__dict__["n"] = 0
X
  py hostile match.py <<'X'
match 0:
    case n:
        pass
X
fi
exit $failed
