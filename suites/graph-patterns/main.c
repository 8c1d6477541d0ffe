/* graph-patterns [edges|push|pull|worklist|paths [plain|right]]: five patterns of irregular graph code on one graph.
 * plain: the kernel with a defect, whose result depends on the order of the work-groups; this program accepts what any
 * order gives, so that the defect stays unnoticed. right: the kernel done right, whose result has to be exact.
 *
 * The graph has 1270 vertices in work-groups of 16: groups 0 to 9 are near vertices of height 1, groups 20 to 29 far
 * ones of height 2, groups 30 to 39 peaks of height 3; the others have no edges. A near vertex of group g is joined to
 * a peak of group g + 30, and so is the far vertex at its place in group g + 20, but for the last one of each group. */
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { LOCAL = 16, BAND = 10 * LOCAL, VERTICES = 1270, ENOUGH = BAND };
enum { FAR_BAND = 2, PEAK_BAND = 3 };

typedef struct graph {
  int first[VERTICES + 1];
  int target[4 * BAND];
  int height[VERTICES];
  const host *h;
  cl_mem first_buffer, target_buffer, height_buffer;
} graph;

/* --- the graph ---------------------------------------------------------------------------------------------------- */

static int peak_of(int near) { return PEAK_BAND * BAND + near / LOCAL * LOCAL + (5 * (near % LOCAL) + 3) % LOCAL; }

/* Adds `a` and `b` to the ends of edges; gives how many edges there are then. */
static int add_edge(int ends[][2], int edges, int a, int b) {
  ends[edges][0] = a;
  ends[edges][1] = b;
  return edges + 1;
}

static int make_edges(int ends[2 * BAND][2]) {
  int edges = 0;
  for (int near = 0; near < BAND; near++) {
    edges = add_edge(ends, edges, near, peak_of(near));
    if (near % LOCAL != LOCAL - 1) edges = add_edge(ends, edges, near + FAR_BAND * BAND, peak_of(near));
  }
  return edges;
}

static void make_graph(graph *g) {
  static const int heights[] = {1, 0, 2, 3};
  int ends[2 * BAND][2];
  const int edges = make_edges(ends);
  int targets = 0;
  for (int v = 0; v < VERTICES; v++) {
    g->height[v] = v / BAND <= PEAK_BAND ? heights[v / BAND] : 0;
    g->first[v] = targets;
    for (int edge = 0; edge < edges; edge++)
      for (int side = 0; side < 2; side++)
        if (ends[edge][side] == v) g->target[targets++] = ends[edge][1 - side];
  }
  g->first[VERTICES] = targets;
}

/* How many neighbours of a vertex are higher. */
static int higher(const graph *g, int v) {
  int count = 0;
  for (int edge = g->first[v]; edge < g->first[v + 1]; edge++) count += g->height[g->target[edge]] > g->height[v];
  return count;
}

/* The greatest of the lower neighbours of a vertex that are `limit` at most; -1 when there is none. */
static int lower(const graph *g, int v, int limit) {
  int greatest = -1;
  for (int edge = g->first[v]; edge < g->first[v + 1]; edge++) {
    const int other = g->target[edge];
    if (g->height[other] < g->height[v] && other <= limit && other > greatest) greatest = other;
  }
  return greatest;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* A kernel with the graph as its first arguments: the number of vertices, `first` and `target`. */
static cl_kernel graph_kernel(const graph *g, const char *name) {
  const cl_int vertices = VERTICES;
  cl_kernel kernel = host_kernel(g->h, name);
  HOST_ARGUMENT(kernel, 0, vertices);
  HOST_ARGUMENT(kernel, 1, g->first_buffer);
  HOST_ARGUMENT(kernel, 2, g->target_buffer);
  return kernel;
}

/* The same with the heights after them. */
static cl_kernel height_kernel(const graph *g, const char *name) {
  cl_kernel kernel = graph_kernel(g, name);
  HOST_ARGUMENT(kernel, 3, g->height_buffer);
  return kernel;
}

/* Launches a kernel with a work-item a vertex, and releases it. */
static void launch(const graph *g, cl_kernel kernel) {
  const size_t local = LOCAL, global = host_round_up(VERTICES, LOCAL);
  host_launch(g->h, kernel, 1, NULL, &global, &local);
  clReleaseKernel(kernel);
}

/* A buffer with a number a vertex. */
static cl_mem vertex_buffer(const graph *g, const int *numbers) {
  return host_buffer(g->h, VERTICES * sizeof *numbers, numbers);
}

/* Reads and releases a buffer with a number a vertex. */
static void take(const graph *g, cl_mem buffer, int *numbers) {
  host_read(g->h, buffer, VERTICES * sizeof *numbers, numbers);
  clReleaseMemObject(buffer);
}

/* --- the patterns: each gives the number of wrong results --------------------------------------------------------- */

static int run_edges(const graph *g, bool right) {
  const cl_int enough = ENOUGH;
  cl_int count = 0;
  cl_mem buffer = host_buffer(g->h, sizeof count, NULL);
  cl_kernel kernel = height_kernel(g, right ? "count_edges_capped" : "count_edges");
  HOST_ARGUMENT(kernel, 4, enough);
  HOST_ARGUMENT(kernel, 5, buffer);
  launch(g, kernel);
  host_read(g->h, buffer, sizeof count, &count);
  clReleaseMemObject(buffer);

  int all = 0;
  for (int v = 0; v < VERTICES; v++) all += higher(g, v);
  return right ? count != ENOUGH : count < ENOUGH || count > all;
}

static int run_push(const graph *g, bool right) {
  int below[VERTICES];
  for (int v = 0; v < VERTICES; v++) below[v] = -1;
  cl_mem buffer = vertex_buffer(g, below);
  cl_kernel kernel = height_kernel(g, right ? "push_greatest" : "push_last");
  HOST_ARGUMENT(kernel, 4, buffer);
  launch(g, kernel);
  take(g, buffer, below);

  int wrong = 0;
  for (int v = 0; v < VERTICES; v++)
    wrong += below[v] != lower(g, v, right ? VERTICES : below[v]) || (below[v] < 0 && lower(g, v, VERTICES) >= 0);
  return wrong;
}

static int run_pull(const graph *g, bool right) {
  int load[VERTICES], new_load[VERTICES];
  for (int v = 0; v < VERTICES; v++) load[v] = 1 + v % 7;
  cl_mem buffer = vertex_buffer(g, load), new_buffer = vertex_buffer(g, NULL);
  cl_kernel kernel = graph_kernel(g, right ? "pull" : "pull_in_place");
  HOST_ARGUMENT(kernel, 3, buffer);
  if (right) HOST_ARGUMENT(kernel, 4, new_buffer);
  launch(g, kernel);
  take(g, right ? new_buffer : buffer, new_load);
  clReleaseMemObject(right ? buffer : new_buffer);

  int wrong = 0;
  for (int v = 0; v < VERTICES; v++) {
    int sum = load[v];
    for (int edge = g->first[v]; edge < g->first[v + 1]; edge++) sum += load[g->target[edge]];
    wrong += right ? new_load[v] != sum : new_load[v] < sum; /* loads only grow */
  }
  return wrong;
}

static int run_worklist(const graph *g, bool right) {
  const cl_int slots = VERTICES;
  int list[VERTICES], visits[VERTICES];
  for (int slot = 0; slot < VERTICES; slot++) list[slot] = -1;
  cl_mem list_buffer = vertex_buffer(g, list), visits_buffer = vertex_buffer(g, NULL);
  cl_mem near = host_buffer(g->h, sizeof(cl_int), NULL), far = host_buffer(g->h, sizeof(cl_int), NULL);
  cl_kernel kernel = height_kernel(g, right ? "list_from_ends" : "list_behind");
  HOST_ARGUMENT(kernel, 4, near);
  HOST_ARGUMENT(kernel, 5, far);
  HOST_ARGUMENT(kernel, 6, list_buffer);
  launch(g, kernel);
  kernel = host_kernel(g->h, "visit_list");
  HOST_ARGUMENT(kernel, 0, slots);
  HOST_ARGUMENT(kernel, 1, list_buffer);
  HOST_ARGUMENT(kernel, 2, visits_buffer);
  launch(g, kernel);
  take(g, visits_buffer, visits);
  clReleaseMemObject(list_buffer);
  clReleaseMemObject(near);
  clReleaseMemObject(far);

  int wrong = 0;
  for (int v = 0; v < VERTICES; v++) {
    const int wanted = higher(g, v) > 0;
    wrong += right ? visits[v] != wanted : visits[v] > wanted;
  }
  return wrong;
}

/* Leaves in `least` the smallest vertex that each one is connected with. */
static void components(const graph *g, int *least) {
  for (int v = 0; v < VERTICES; v++) least[v] = v;
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < VERTICES; v++)
      for (int edge = g->first[v]; edge < g->first[v + 1]; edge++)
        if (least[g->target[edge]] < least[v]) {
          least[v] = least[g->target[edge]];
          changed = true;
        }
  }
}

static int run_paths(const graph *g, bool right) {
  const cl_int vertices = VERTICES;
  int label[VERTICES], least[VERTICES];
  for (int v = 0; v < VERTICES; v++) label[v] = v;
  cl_mem parent_buffer = vertex_buffer(g, label), label_buffer = vertex_buffer(g, NULL);
  cl_kernel kernel = height_kernel(g, right ? "hook" : "hook_stores");
  HOST_ARGUMENT(kernel, 4, parent_buffer);
  launch(g, kernel);
  kernel = host_kernel(g->h, "label_roots");
  HOST_ARGUMENT(kernel, 0, vertices);
  HOST_ARGUMENT(kernel, 1, parent_buffer);
  HOST_ARGUMENT(kernel, 2, label_buffer);
  launch(g, kernel);
  take(g, label_buffer, label);
  clReleaseMemObject(parent_buffer);

  int wrong = 0;
  components(g, least);
  for (int v = 0; v < VERTICES; v++)
    wrong += right ? label[v] != least[v] : label[v] < 0 || label[v] >= VERTICES || least[label[v]] != least[v];
  return wrong;
}

static const struct {
  const char *name;
  int (*run)(const graph *g, bool right);
} patterns[] = {
    {"edges", run_edges}, {"push", run_push}, {"pull", run_pull}, {"worklist", run_worklist}, {"paths", run_paths},
};

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "edges";
  const bool right = host_word(argc, argv, 2, "plain", "right");
  static graph g;
  make_graph(&g);

  host h = host_open("graph-patterns", "-D FAR=2");
  g.h = &h;
  g.first_buffer = host_buffer(&h, sizeof g.first, g.first);
  g.target_buffer = host_buffer(&h, sizeof g.target, g.target);
  g.height_buffer = host_buffer(&h, sizeof g.height, g.height);
  int wrong = -1;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (strcmp(patterns[i].name, name) == 0) wrong = patterns[i].run(&g, right);
  if (wrong < 0) host_fail("there is no pattern \"%s\"", name);

  clReleaseMemObject(g.height_buffer);
  clReleaseMemObject(g.target_buffer);
  clReleaseMemObject(g.first_buffer);
  return host_finish(&h, wrong == 0, "%s, %d wrong results", name, wrong);
}
