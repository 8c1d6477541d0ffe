/* bfs [NODES [ring|star|lone [GOAL]]]: depths of the nodes of a graph as seen from node 0, and the path from GOAL back.
 *
 * ring: each node has the next and the previous one as neighbours; star: node 1 is the hub, all others are its
 * neighbours; lone: a ring without node 0. */
#include <stdlib.h>

#include "common/host.h"

enum { LOCAL = 32, UNSEEN = -1 };

typedef struct graph {
  int nodes, edges;
  int *first;  /* nodes + 1 */
  int *target; /* room for 2 * nodes */
} graph;

static void add_edge(graph *g, int target) { g->target[g->edges++] = target; }

/* Adds the neighbours of `node` in the ring of `size` nodes that starts at node `start`. */
static void add_ring_node(graph *g, int node, int start, int size) {
  add_edge(g, start + (node - start + 1) % size);
  add_edge(g, start + (node - start + size - 1) % size);
}

static void add_star_node(graph *g, int node) {
  if (node != 1) {
    add_edge(g, 1);
    return;
  }
  for (int other = 0; other < g->nodes; other++)
    if (other != 1) add_edge(g, other);
}

static graph make_graph(int nodes, bool star, bool lone) {
  graph g = {.nodes = nodes};
  g.first = host_calloc((size_t)nodes + 1, sizeof *g.first);
  g.target = host_calloc(2 * (size_t)nodes, sizeof *g.target);
  for (int node = 0; node < nodes; node++) {
    if (star)
      add_star_node(&g, node);
    else if (!lone)
      add_ring_node(&g, node, 0, nodes);
    else if (node > 0)
      add_ring_node(&g, node, 1, nodes - 1);
    g.first[node + 1] = g.edges;
  }
  return g;
}

/* Whether `depth` holds the depths that the pattern has. */
static bool depths_right(const int *depth, int nodes, bool star, bool lone) {
  for (int node = 0; node < nodes; node++) {
    int expected = node <= nodes / 2 ? node : nodes - node;
    if (star) expected = node < 2 ? node : 2;
    if (lone) expected = node == 0 ? 0 : UNSEEN;
    if (depth[node] != expected) return false;
  }
  return true;
}

/* Whether `path` leads from `goal` to node 0, every node one less deep than the one before. */
static bool path_right(const int *path, const int *depth, int goal) {
  if (path[0] != goal) return false;
  for (int step = 1; step <= depth[goal]; step++)
    if (depth[path[step]] != depth[goal] - step) return false;
  return path[depth[goal]] == 0;
}

typedef struct search {
  const host *h;
  size_t global;
  int nodes;
  cl_mem first, target, depth, changed;
} search;

static void prepare(const search *s) {
  const size_t local = LOCAL;
  const cl_int source = 0;
  cl_kernel kernel = host_kernel(s->h, "prepare");
  HOST_ARGUMENT(kernel, 0, s->nodes);
  HOST_ARGUMENT(kernel, 1, source);
  HOST_ARGUMENT(kernel, 2, s->depth);
  host_launch(s->h, kernel, 1, NULL, &s->global, &local);
  clReleaseKernel(kernel);
}

/* Launches level after level until none finds a node; gives the number of launches. */
static int expand(const search *s) {
  const size_t local = LOCAL;
  cl_kernel kernel = host_kernel(s->h, "expand");
  HOST_ARGUMENT(kernel, 0, s->nodes);
  HOST_ARGUMENT(kernel, 2, s->first);
  HOST_ARGUMENT(kernel, 3, s->target);
  HOST_ARGUMENT(kernel, 4, s->depth);
  HOST_ARGUMENT(kernel, 5, s->changed);
  cl_int level = 0, changed = 1;
  while (changed && level <= s->nodes) {
    changed = 0;
    host_write(s->h, s->changed, sizeof changed, &changed);
    HOST_ARGUMENT(kernel, 1, level);
    host_launch(s->h, kernel, 1, NULL, &s->global, &local);
    host_read(s->h, s->changed, sizeof changed, &changed);
    level++;
  }
  clReleaseKernel(kernel);
  return level;
}

static void walk_back(const search *s, int goal, int *path) {
  const size_t one = 1, bytes = (size_t)s->nodes * sizeof *path;
  cl_mem buffer = host_buffer(s->h, bytes, NULL);
  cl_kernel kernel = host_kernel(s->h, "walk_back");
  HOST_ARGUMENT(kernel, 0, goal);
  HOST_ARGUMENT(kernel, 1, s->first);
  HOST_ARGUMENT(kernel, 2, s->target);
  HOST_ARGUMENT(kernel, 3, s->depth);
  HOST_ARGUMENT(kernel, 4, buffer);
  host_launch(s->h, kernel, 1, NULL, &one, &one);
  host_read(s->h, buffer, bytes, path);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
}

int main(int argc, char **argv) {
  const int nodes = host_number(argc, argv, 1, 16, 4, 1024);
  const bool star = host_word(argc, argv, 2, "ring", "star"), lone = host_word(argc, argv, 2, "ring", "lone");
  const int goal = host_number(argc, argv, 3, UNSEEN, UNSEEN, nodes - 1);
  graph g = make_graph(nodes, star, lone);
  const size_t bytes = (size_t)nodes * sizeof(cl_int);
  int *depth = host_calloc((size_t)nodes, sizeof *depth), *path = host_calloc((size_t)nodes, sizeof *path);

  host h = host_open("bfs", "-D UNSEEN=-1");
  search s = {.h = &h, .global = host_round_up((size_t)nodes, LOCAL), .nodes = nodes};
  s.first = host_buffer(&h, bytes + sizeof(cl_int), g.first);
  s.target = host_buffer(&h, 2 * bytes, g.target);
  s.depth = host_buffer(&h, bytes, NULL);
  s.changed = host_buffer(&h, sizeof(cl_int), NULL);
  prepare(&s);
  const int launches = expand(&s);
  host_read(&h, s.depth, bytes, depth);
  bool right = depths_right(depth, nodes, star, lone);
  if (goal >= 0 && depth[goal] >= 0) {
    walk_back(&s, goal, path);
    right = right && path_right(path, depth, goal);
  }

  clReleaseMemObject(s.changed);
  clReleaseMemObject(s.depth);
  clReleaseMemObject(s.target);
  clReleaseMemObject(s.first);
  free(path);
  free(depth);
  free(g.target);
  free(g.first);
  return host_finish(&h, right, "%d nodes, %d launches", nodes, launches);
}
