/* Launches that a process which dies may leave behind. */
#ifndef CLTC_LAYER_OBSERVE_ANNOUNCED_H
#define CLTC_LAYER_OBSERVE_ANNOUNCED_H

/* Finds the file beside the socket; of no effect when it was found before or is not there. */
void announced_open(const char *socket_path);
/* An instrumented launch has been made. */
void announced_launch(void);

#endif
