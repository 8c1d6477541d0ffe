/* What the guest that replaces a source is told. */
#ifndef CLTC_WIRE_REPLACE_H
#define CLTC_WIRE_REPLACE_H

#define ENV_REPLACE "CLTESTCHECK_REPLACE" /* a folder with these files: */
#define REPLACE_BEFORE "before"           /* the source that programs build */
#define REPLACE_AFTER "after"             /* the one that they get */
#define REPLACE_USED "used"               /* grows by a byte each time */

#endif
