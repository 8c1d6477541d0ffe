/* A replay that crashes says which launch it had in hand. */
#ifndef CLTC_REPLAY_CRASH_H
#define CLTC_REPLAY_CRASH_H

/* From now on; the signal then ends the process as it would have. */
void crash_watch(void);
/* Launches are counted from 0 again. */
void crash_turn(void);
/* The next launch is enqueued; `kernel` must stay as long as the replay. */
void crash_launch(const char *kernel);

#endif
