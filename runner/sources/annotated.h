/* Sources with annotations for proofs: what stands there for the engine alone is nothing for whoever reads the source here. */
#ifndef CLTC_RUNNER_SOURCES_ANNOTATED_H
#define CLTC_RUNNER_SOURCES_ANNOTATED_H

/* The build options, and with them definitions of the annotations that the text names, so that it can be read. To be freed. */
char *annotated_options(const char *text, const char *options);

#endif
