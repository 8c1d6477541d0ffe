/* What the stand-in for a worker does in a turn; MESSAGE_TURN's setup says which. */
#ifndef CLTC_TESTS_POOL_WORKER_H
#define CLTC_TESTS_POOL_WORKER_H

enum { DO_WELL, DO_ESCAPE, DO_SPOIL, DO_FAULT, DO_HALF, DO_EXIT, DO_HANG, DO_DIE, DO_DIE_ONCE, DO_BUILD };
#define BUILD_SECONDS 0.2
enum { EXIT_OF_DO_EXIT = 3, READS_LEFT_OUT = 5 };

#endif
