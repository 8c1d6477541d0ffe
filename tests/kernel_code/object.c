/* A shared object like those of PoCL's kernels: FUNCTION calls CALLED, and adds CONSTANT. */
double CALLED(double x);
double FUNCTION(double x);
double FUNCTION(double x) { return CALLED(x) + CONSTANT; }
