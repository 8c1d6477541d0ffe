/* What a launch mutant changes of a launch, as it is said to the layer, in $CLTESTCHECK_LAUNCH or in MESSAGE_TURN: the
 * text "KIND FIRST SECOND TYPE OFFSET KERNEL MODULE" (LAUNCH_CHANGE_FORMAT). The launches are those of the kernel of
 * this name whose call is at OFFSET in the file MODULE; in a turn, where nobody calls, those that MESSAGE_TURN lists. */
#ifndef CLTC_WIRE_LAUNCH_CHANGE_H
#define CLTC_WIRE_LAUNCH_CHANGE_H

#include <stdint.h>

#define ENV_LAUNCH "CLTESTCHECK_LAUNCH" /* LAUNCH_TELL: send MESSAGE_SITE; else a change */
#define LAUNCH_TELL "tell"
#define LAUNCH_CHANGE_FORMAT "%u %u %u %c %llx %s %s"

typedef enum launch_change_kind {
  CHANGE_NONE,
  CHANGE_EXCHANGED, /* the global sizes of dimensions `first` and `second` */
  CHANGE_MORE,      /* a work-group more in dimension `first` */
  CHANGE_LESS,
  CHANGE_HALVED, /* the local size of dimension `first` */
  CHANGE_DOUBLED,
  CHANGE_OFFSET, /* the global offset of dimension `first` + 1 */
  CHANGE_ADD,    /* argument `first` + 1 */
  CHANGE_SUBTRACT,
  CHANGE_ZERO, /* argument `first` becomes 0 */
  CHANGE_KINDS
} launch_change_kind;

/* Types of arguments. */
enum { LAUNCH_INTEGER = 'i', LAUNCH_FLOAT = 'f', LAUNCH_OTHER = '-' };

typedef struct launch_change {
  launch_change_kind kind;
  uint32_t first, second;
  char type; /* of an argument */
} launch_change;

/* Which changes say something, of the launches of a site so far: bits of MESSAGE_SITE's shape. */
#define SHAPE_DIMENSION(d) (UINT32_C(1) << (d))          /* there is this dimension */
#define SHAPE_UNEQUAL(a, b) (UINT32_C(8) << ((a) + (b))) /* two global sizes differ: bits 4 to 6 */
#define SHAPE_EVEN(d) (UINT32_C(256) << (d))             /* the local size is given and even */
#define SHAPE_LOCAL(d) (UINT32_C(2048) << (d))           /* the local size is given */

#define SITE_UNORDERED UINT64_MAX /* MESSAGE_SITE: the number of the launch is not known */

#endif
