/* What the layer, in the user's process, and cltestcheck say to each other over a Unix stream socket.
 *
 * A message is a header {u32 type, u32 length of what follows} and fields in order: u32 and u64 little-endian,
 * string = u32 length + bytes (no NUL). The layer sends; only MESSAGE_INSTRUMENT, MESSAGE_LAUNCH,
 * MESSAGE_NEEDLESS and MESSAGE_NEXT are answered. One connection per
 * process (a forked child opens its own). The layer finds the socket in $CLTESTCHECK_SOCKET. Without a socket, or once
 * it breaks, the layer passes every call through untouched. */
#ifndef CLTC_WIRE_PROTOCOL_H
#define CLTC_WIRE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "wire/forms.h"

#define PROTOCOL_VERSION 15u
#define PROTOCOL_MESSAGE_CAP (1u << 30)

#define ENV_SOCKET "CLTESTCHECK_SOCKET"  /* path of the socket */
#define ENV_LAYERS "CLTESTCHECK_LAYERS"  /* the value of OPENCL_LAYERS that the layer restores for children */
#define ENV_DEVICE "CLTESTCHECK_PRESENT" /* "P:D": index of platform and of device in it, presented as the device */
#define LAUNCHES_SUFFIX ".launches"      /* to the socket's path: a file that holds a launches_file */
#define ENV_OBSERVE \
  "CLTESTCHECK_OBSERVE" /* "1": send MESSAGE_READ; "blocks": with digests of blocks; "contents": with the bytes */
#define ENV_GUARD_ZONES "CLTESTCHECK_GUARD_ZONES" /* "1": buffers get zones after their end, which are looked at */
#define ENV_UNAWAITED "CLTESTCHECK_UNAWAITED"     /* "1": send MESSAGE_UNAWAITED */
#define ENV_LEAKS "CLTESTCHECK_LEAKS"             /* "1": send MESSAGE_ALIVE */
#define ENV_WATCH "CLTESTCHECK_WATCH"             /* path of the file that is the gate record of a watched launch */
#define ENV_FILL "CLTESTCHECK_FILL"           /* "0" to "255": the byte that buffers hold which nobody has written */
#define ENV_TEST_CASE "CLTESTCHECK_TEST_CASE" /* name of the test case that starts this process (cltestcheck.h) */
#define ENV_TEST_COMMAND "CLTESTCHECK_TEST_COMMAND" /* the command that runs it alone, if that is known */
#define ENV_BINARIES "CLTESTCHECK_BINARIES"         /* folder in which guests keep what binaries were made of */
#define ENV_BUILDS "CLTESTCHECK_BUILDS" /* folder in which guests keep their built programs; unset: nothing is kept */
#define ENV_SLOTS_CAP "CLTESTCHECK_SLOTS_CAP" /* bytes of slots over all rings, default 64 MiB (for tests) */
#define ENV_ASK_FROM \
  "CLTESTCHECK_ASK_FROM" /* work-items: launches of so many are asked about before they are run with bounds */
#define ENV_CELLS_CAP \
  "CLTESTCHECK_CELLS_CAP" /* bytes of cells of a checked launch, default: a quarter of the device's memory */
#define ENV_CELLS_ROUND "CLTESTCHECK_CELLS_ROUND"  /* "1", …: which of them come first where not all fit */
#define REFUSED_BEFORE "the device does not have " /* see MESSAGE_REFUSED */

/* How memory is used that the host has not written as a whole. */
enum bare_use { BARE_LAUNCH, BARE_COPY, BARE_HOST };

enum message_type {
  /* layer -> cltestcheck */
  MESSAGE_HELLO = 1,  /* u32 version, u32 pid, string executable path. Sent at the first OpenCL call. */
  MESSAGE_INSTRUMENT, /* see below; answered by MESSAGE_INSTRUMENTED */
  MESSAGE_BUILT,      /* u32 program: its instrumented build succeeded */
  MESSAGE_REFUSED,  /* u32 program, string log: the instrumented build failed (the user's own build did not), or was not
                         tried: then the log is a reason that begins with REFUSED_BEFORE */
  MESSAGE_SKIPPED,  /* string what ("program from binary", "built-in kernels", "IL program", …), string reason, in
                         words for a person: not instrumented, runs untouched */
  MESSAGE_EVIDENCE, /* u32 program, u32 kernel (index in the answer), u64 launches since the last message of this
                         kernel, u32 first, u32 end: those that ran as twins have numbers from `first` and before `end`
                         among the kernel's (0 and 0: none did), u32 test case (number of MESSAGE_TEST_CASE;
                         0: none), u32 words, u32 × words: the kernel's flags buffer as read back (all of it,
                         cumulative over the test case) */
  MESSAGE_NOTE,     /* u32 program of which something ran uninstrumented, or NO_PROGRAM; string: what a person should
                         know (e.g. a launch ran uninstrumented because the device refused it) */
  MESSAGE_FAILED,   /* string source text, string directory, string log: the user's own build failed */
  MESSAGE_LAUNCHING, /* u32 program, u32 kernel: the first launch, or the first with such a shape, comes next; drivers
                         may compile only now. The kernel's next MESSAGE_EVIDENCE says that all went well. */
  MESSAGE_GOODBYE,   /* the process ends by itself */
  MESSAGE_READ,      /* see below; with CLTESTCHECK_OBSERVE */
  MESSAGE_REQUEST_DENIED, /* u32 type: the program asked for devices of this cl_device_type and there is none */
  MESSAGE_LAUNCH,         /* see below; of gated kernels; answered by MESSAGE_SCHEDULE */
  MESSAGE_GATED,          /* u64 number, u32 words, u32 × words: the gate record of a launch, once it has ended */
  MESSAGE_MEMORY,         /* see below: what a launch left in an argument, where that was asked for */
  MESSAGE_NEXT,           /* see below; of a process that replays (wire/turn.h); answered by MESSAGE_TURN */
  MESSAGE_TEST_CASE,    /* u32 number (in this process, from 1), u32 1: it begins, 0: it has ended; u32 its exit status,
                           string name, string command that runs it alone, "" where that is not known */
  MESSAGE_CALL_REFUSED, /* string call, string kernel or "", u32 error, string detail (sizes, build options), u64 how
                           often since the last such message, string path, u64 offset: the driver has refused a call of the program,
                           first made there (path "": not known) */

  MESSAGE_NEEDLESS, /* see below; of checked kernels and those with bounds; answered by MESSAGE_IS_NEEDLESS */
  MESSAGE_SHORT,    /* u32 rounds: cells of a checked launch do not all fit; in so many runs, each with its
                       CLTESTCHECK_CELLS_ROUND, each memory object has its turn */
  MESSAGE_SITE,     /* see below; with CLTESTCHECK_LAUNCH */
  MESSAGE_BARE, /* u32 bare_use, string kernel or "", u32 argument: memory that the host has not written as a whole is used so;
                       with CLTESTCHECK_FILLING; of each argument of a kernel once */
  MESSAGE_SHARED, /* a checked launch reads memory through one argument and writes it through another */
  MESSAGE_UNORDERED, /* commands may be in no order: there are several queues, or one that is out of order; or there was one while the
                        host had memory mapped; with CLTESTCHECK_UNAWAITED */
  MESSAGE_UNNOTICED, /* string call, string kernel, u32 error, string detail, as of MESSAGE_CALL_REFUSED; string the call
                        with which the program then used memory that was an argument of it; u32 program or
                        NO_PROGRAM (the kernel is as the user wrote it), u32 kernel, u32 number of that argument */
  MESSAGE_OVERRUN, /* string kernel, u32 program or NO_PROGRAM, u32 kernel, u32 argument, u32 test case, u64 launch, u64
                      launches: so many launches of the kernel, from this one on, have written past the end of the buffer
                      that is this argument; u64 size of the buffer, u64 first and u64 last byte after its end
                      that has changed; with CLTESTCHECK_GUARD_ZONES */
  MESSAGE_ALIVE,   /* see below; with CLTESTCHECK_LEAKS */
  MESSAGE_UNAWAITED, /* u64 number, string call, u64 bytes, string next, string path, u64 offset: `call` (at that offset in
                        that program or library, path "": not known) reads without blocking into memory of the program, or
                        maps it; the program has not waited for it, and has used the memory by call `next`, "": it ends;
                        u32 1: it takes what is there instead, and that has changed before `next`, or (bytes 0) it sets an
                        argument of a kernel, or launches it, while `next` does; string path, u64 offset of `next`; with CLTESTCHECK_UNAWAITED */
  MESSAGE_AWAITED,  /* u64 number: after its end (MESSAGE_UNAWAITED with this number) it has waited */
  MESSAGE_RELEASED, /* u64 handle: an object of the last MESSAGE_ALIVE has been released after it */

  /* cltestcheck -> layer */
  MESSAGE_INSTRUMENTED = 100,
  MESSAGE_SCHEDULE,
  MESSAGE_TURN,
  MESSAGE_IS_NEEDLESS /* u32 1: no work-item of the launch touches what another one writes, or (of kernels with bounds)
                         what is not its own, so nothing needs checking */
};

/* What all processes of a program write down of their launches, in a file that stands when they end before their
 * evidence has been read. */
typedef struct launches_file {
  uint64_t announced; /* launches whose evidence is to come; what it says beyond that evidence is missing */
  uint64_t made;      /* launches of any kernel */
  uint64_t ended;     /* the last of them that is known to have ended, counted from 1; 0: none */
  uint64_t built;     /* texts of ours that the device's compiler has built, */
  uint64_t kept;      /* and those that were there as binaries */
  uint32_t lock;      /* 1: a process writes what stands below */
  char last[220];     /* the last launch in words: kernel and sizes */
} launches_file;

/* MESSAGE_INSTRUMENT:
 *   string device    name, vendor, driver version, OpenCL C version, version and extensions of the (first) device, and
 *                    "images" or "", joined with '\n': the key under which answers to questions are remembered
 *   string directory current working directory of the process
 *   u32 sources      1 for clBuildProgram; for clLinkProgram one per source program that goes in
 *     each: string text, string options, u32 headers, each: string name, string text
 *   u32 linked       1 for clLinkProgram, else 0
 *   string options   of the link
 *   u32 others       programs without a source that go into the link, too
 *   u32 facts        answers to questions of an earlier round
 *     each: u32 source (index), string expression, u32 value
 *
 * MESSAGE_INSTRUMENTED:
 *   u32 status       INSTRUMENTED_OK, INSTRUMENTED_QUESTIONS, INSTRUMENTED_NOT
 *   OK:        u32 program (number in this run), u32 sources, each: string text, string options (for the device's
 *              compiler, instead of the user's); u32 kernels, each: string name, u32 form (KERNEL_…), u32 flag words,
 *              u32 total words (size of the flags buffer in u32), then what the row of its form says (FIELD_…,
 *              wire/forms.h).
 *              Kernels of the program that are not named run as the user wrote them.
 *   QUESTIONS: u32 questions, each: u32 source, string expression. Answer each by compiling, with that source's
 *              options, and ask again with all facts so far.
 *   NOT:       string reason. Run the program untouched (cltestcheck has recorded it under `skipped`). */
enum { INSTRUMENTED_OK = 0, INSTRUMENTED_QUESTIONS = 1, INSTRUMENTED_NOT = 2 };

#define NO_PROGRAM UINT32_MAX

/* MESSAGE_READ: something that the host read back from the device (a buffer, an image, a mapping for reading), once its
 * bytes are there:
 *   u64 number   of such calls of this process before it
 *   string kernel, u32 argument, u64 launch
 *                the last launch that was given this memory object and may have written it: name of the kernel, index of
 *                the argument, number of the launch among this kernel's, from 0; "" if there was none
 *   u64 program  digest of the source text that the kernel was made from, 0: not known
 *   u32 threads  1: several threads of the process have given commands so far, so that numbers are as it happens
 *   u64 bytes, u64 low, u64 high
 *                size and XXH3-128 digest of the bytes as the host gets them (rows of an image or rectangle one after
 *                the other, without padding)
 *   u32 blocks   each: u32 digest of the next read_block(bytes) bytes (the low half of XXH3-64); none without "blocks"
 * with "contents":
 *   string bytes  as the host gets them; "": they are more than MEMORY_CAP, or not known
 *   u32 number    of the memory (detectors/fills/record.h), FILLING_END: not known; u32 1: something was copied there; u32 how many
 *                 memory objects have been made */
#define READ_BLOCKS_CAP ((size_t)1 << 20)
/* A word while that makes no more blocks than the cap, else so many words that it does. */
static inline size_t read_block(size_t bytes) {
  size_t block = 4;
  while (bytes / block >= READ_BLOCKS_CAP) block *= 2;
  return block;
}

/* MESSAGE_LAUNCH, before each launch of a gated kernel, unless MESSAGE_TURN has said all that there is to say:
 *   u32 program, u32 kernel
 *   u32 dimensions, for each: u64 global size, u64 work-group size (0: left to the device)
 *   u32 even         0: the last work-groups are smaller than the others, as far as the layer can tell
 * MESSAGE_SCHEDULE: u64 number (for the messages about this launch), u64 first (schedule_pack), u32 flags: SCHEDULE_….
 *
 * MESSAGE_MEMORY, one for each argument of the launch that is a memory object or a shared pointer into one:
 *   u64 number, u32 argument, u64 bytes (its size), string contents (cut at MEMORY_CAP),
 *   u64 width, u64 height (of an image, in pixels; layers of a 1D array are its height; 0: no image),
 *   u32 the type of its channels (CL_FLOAT …), u32 bytes of a pixel */
enum {
  SCHEDULE_MEMORY = 1, /* wait for the launch and send MESSAGE_MEMORY */
  SCHEDULE_WATCH = 2   /* the gate record lies in the file $CLTESTCHECK_WATCH, mapped shared, with a word for each
                          work-group after it; where the device works on the host's memory the file shows, while the
                          kernel runs and after the process was killed, how far each group has come */
};
#define MEMORY_CAP ((size_t)64 << 20)

/* MESSAGE_NEEDLESS, before a launch of a checked kernel without local memory, or of one with bounds:
 *   u32 program, u32 kernel
 *   u32 dimensions, for each: u64 offset, u64 global size, u64 local size or 0: not known
 *   u32 arguments, each: u32 1: u64 is the value of an integer, 2: u64 is a number that stands for its memory, 0: nothing
 *   is known; u64; u64 its bytes and flags, of kernels with bounds
 *
 * MESSAGE_NEXT, before the first turn of a worker and when one has ended and all about it was sent:
 *   u32 turns so far, u32 flags of the last one (TURN_…), u64 reads that it left out
 * MESSAGE_TURN:
 *   u64 setup        with which MESSAGE_INSTRUMENT was answered: turns with equal setups use the same built programs
 *   u32 expected     reads of the turn, the left out ones among them, or NO_READS; each: u64 low, u64 high: the turn is
 *                    over as soon as a read has another digest or is after them
 *   u32 filling      of the bytes around each buffer
 *   u32 partial      1: only these kernels do something else than in the captured run
 *   u32 kernels      of schemas, each: u32 program, string name, string name of the kernel to launch in its place, u32
 *                    mutant number, u32 fuel: from this turn on, instead of what MESSAGE_INSTRUMENTED said
 *   u32 schedules    of launches of gated kernels, or ASK_SCHEDULES; each: u32 program, u32 kernel, u32 which of this
 *                    kernel's launches in the turn (from 0), and what MESSAGE_SCHEDULE would say: u64 number, u64 first,
 *                    u32 flags. Launches that are not among them execute in any order, and nothing is told of them.
 *   string change    of a launch mutant (wire/launch_change.h), "": none; u32 ranges, each: u64 first, u64 after: the
 *                    launches of its kernel in the turn that it changes
 *
 * MESSAGE_SITE, where a kernel is launched at another place than before, in another thread, or in another way:
 *   string kernel, string path of the program or library, u64 offset of the call in it, u64 number of the launch among
 *   this kernel's in the process (SITE_UNORDERED: not known any more), u64 thread, u32 shape (SHAPE_…, of all launches
 *   there so far), u64 which arguments are values of at most 8 bytes, u64 which of them were not 0
 *
 * MESSAGE_ALIVE, with no object when the process makes its first one, and when it ends with all that the program has made
 * and not released; one takes the place of those before it:
 *   u32 1: the process ends, u64 objects that are alive, u32 objects that follow (at most ALIVE_MOST), each:
 *   u64 handle, u64 handle of the object that it was made of or belongs to, u64 handle of its context, 0: none
 *   u32 kind (ALIVE_…), u64 bytes of a memory object, string name of a kernel, "" of others
 *   string call that has made it, string path of the program or library in which that was, u64 offset of the call in it */
enum alive_kind {
  ALIVE_CONTEXT,
  ALIVE_QUEUE,
  ALIVE_PROGRAM,
  ALIVE_KERNEL,
  ALIVE_BUFFER,
  ALIVE_IMAGE,
  ALIVE_PIPE,
  ALIVE_SAMPLER,
  ALIVE_EVENT,
  ALIVE_KINDS /* how many */
};
#define ALIVE_MOST 65536u
enum { TURN_COMPLETE = 1, TURN_ESCAPED = 2, TURN_OVER = 4, TURN_FAULTED = 8, TURN_SPOILED = 16 };
#define NO_READS UINT32_MAX
#define ASK_SCHEDULES UINT32_MAX

/* What a counted kernel (KERNEL_COUNTED, wire/forms.h) expects in its hidden parameters:
 *   __global uint *flags      total words, zeroed when made; [0, flag words) bits found so far (OR), then records of
 *                             barrier divergence
 *   __global uchar *slots     every work-item stores its bits at byte (first + n) * item bytes, where n counts
 *                             work-items group by group, every group taken as large as a full one
 *   ulong first               index of the launch's first item in `slots`
 *   __global uint *planes     for kernels with planes > 0: 8 + (capacity + 1) * (planes + 1) words, not initialised;
 * any buffer for the others uint capacity             items that fit into `planes`; best the number of work-items, the
 * last groups of each dimension counted in full. With less, only the first and last work-groups are compared. With
 * -DCLTC_DIRECT the same source makes kernels that ignore `slots` and OR straight into `flags` with atomics: slower,
 * needs no slots. Otherwise the items in `slots` must afterwards be reduced by OR into flags: items of 1 or 2 bytes
 * into flags[0]; of 4 n bytes, word w of each item into flags[w]. Stale items of the same kernel are harmless (they are
 * evidence already counted), so slots need zeroing only when made.
 *
 * After every launch of a kernel K with planes > 0, before `planes` is used again, the program's kernel cltc_judge_K
 * must run: (__global uint *flags, __global const uint *planes, uint launch), one dimension, any number of work-items
 * (they share the work-groups among them); `launch` is the number of this launch of the kernel, from 0. With
 * PLANES_IN_SLOTS two more arguments follow: the launch's `slots` (any buffer if it had none) and `first`; the slots
 * must still be there, and a launch that has them needs a `capacity` of 0 only. */
#define PLANES_IN_SLOTS UINT32_C(0x80000000)
#define JUDGE_PREFIX "cltc_judge_"
#define OPTION_DIRECT "-DCLTC_DIRECT"

/* What the guest that replaces a source is told. */
#define ENV_REPLACE "CLTESTCHECK_REPLACE" /* a folder with these files: */
#define REPLACE_BEFORE "before"           /* the source that programs build */
#define REPLACE_AFTER "after"             /* the one that they get */
#define REPLACE_USED "used"               /* grows by a byte each time */

#endif
