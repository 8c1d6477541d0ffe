/* The functions of the layer that stand over OpenCL calls: hook_ and the name of the call. */
#ifndef CLTC_LAYER_OBSERVE_HOOKS_H
#define CLTC_LAYER_OBSERVE_HOOKS_H

#include "layer/common/calls.h"

#define HOOK(name) hook_##name

#define CALL_DECLARE(type, name, parameters, arguments) type CL_API_CALL HOOK(name) parameters;
CALLS(CALL_DECLARE)
#undef CALL_DECLARE
#define CALL_DECLARE(name, parameters, arguments) void CL_API_CALL HOOK(name) parameters;
CALLS_VOID(CALL_DECLARE)
#undef CALL_DECLARE

#endif
