/* What to do when a program asks for a device that is not there. */
#ifndef CLTC_CLI_DENIED_H
#define CLTC_CLI_DENIED_H

#include "cli/settings.h"
#include "cli/target.h"

/* Says on standard error that the program asked for a device of this cl_device_type and there is none, and the command
 * line that presents another device to it; nothing when one was presented already. */
void say_denied(const command_line *given, const target *t, uint32_t type);

#endif
