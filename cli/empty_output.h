/* Reports go to standard error, as standard output is the program's. Who sends standard output to a file and finds it
 * empty is told. */
#ifndef CLTC_CLI_EMPTY_OUTPUT_H
#define CLTC_CLI_EMPTY_OUTPUT_H

/* Before anything is written: remembers the file that standard output goes to. */
void empty_output_begin(void);
/* A report went to standard error. */
void empty_output_report(void);
/* If one did, and the file of standard output is as it was at the start, says so. */
void empty_output_say(void);

#endif
