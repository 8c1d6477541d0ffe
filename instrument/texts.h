/* OpenCL C that the build embeds: the files of this folder that end in .cl. */
#ifndef CLTC_INSTRUMENT_TEXTS_H
#define CLTC_INSTRUMENT_TEXTS_H

extern const char instrument_record[];      /* record.cl: what a work-item has seen */
extern const char instrument_planes[];      /* planes.cl: what it leaves about barriers */
extern const char instrument_bare[];        /* bare.cl: in their place, where there is no coverage */
extern const char instrument_gated_group[]; /* gated_group.cl: the number of a group that stands for another */
extern const char instrument_checked[];     /* checked.cl: shadow memory, and what finds races in it */

extern const char instrument_memory[]; /* memory.cl: what holds accesses against their objects */

#endif
