/* The socket that layers connect to: accepts connections, cuts messages out of the stream, hands them to a session. */
#ifndef CLTC_RUNNER_SERVER_H
#define CLTC_RUNNER_SERVER_H

#include <poll.h>
#include <stdbool.h>

#include "base/error.h"
#include "runner/session.h"

typedef struct server server;

/* Names of links that may stand beside the socket; they go with it. */
#define SERVER_LAYER_LINK "libcltestcheck-layer.so"
#define SERVER_PRELOAD_LINK "libcltestcheck-preload.so"

/* Listens in a fresh private directory. `s` stays the caller's. */
int server_open(server **out, session *s, error *e);
/* Closes everything and removes the directory. NULL is fine. */
void server_close(server *v);

/* For the layer's environment; lent. */
const char *server_path(const server *v);

/* Descriptors to poll: fills at most `room`, returns how many there are. */
size_t server_descriptors(const server *v, struct pollfd *out, size_t room);
/* Handles whatever can be read now. A failure of the session is kept (server_error) and ends all connections: the
 * user's program goes on without us. */
void server_serve(server *v, const struct pollfd *polled, size_t count);
/* Connections still open. */
size_t server_connections(const server *v);
/* The first failure of the session; NULL if there was none; lent. */
const error *server_error(const server *v);

#endif
