# The device of the tests: the installed PoCL with those built-in functions alone that the source tree names. In the
# release build with CLTC_FULL, and where PoCL is not found as Debian has it, it is the installed one as it is.

set(CLTC_SMALL_DEVICE)
set(POCL_ICD /etc/OpenCL/vendors/pocl.icd)
if((CLTC_SANITIZE OR NOT CLTC_FULL) AND EXISTS ${POCL_ICD})
  file(STRINGS ${POCL_ICD} POCL_NAME LIMIT_COUNT 1)
  find_library(POCL_LIBRARY NAMES ${POCL_NAME})
  if(POCL_LIBRARY AND LLVM_C_INCLUDE)
    file(REAL_PATH ${POCL_LIBRARY} POCL_DRIVER)
    execute_process(COMMAND ldd ${POCL_DRIVER} OUTPUT_VARIABLE libraries ERROR_QUIET)
    cmake_path(GET POCL_DRIVER PARENT_PATH beside)
    if(libraries MATCHES "libLLVM[^ ]* => ([^ ]+)" AND EXISTS ${beside}/../../share/pocl/include/opencl-c.h)
      set(CLTC_SMALL_DEVICE ${CMAKE_BINARY_DIR}/small_device)
      add_executable(small_library ${CMAKE_CURRENT_SOURCE_DIR}/fixtures/small_library.c)
      target_include_directories(small_library SYSTEM PRIVATE ${LLVM_C_INCLUDE})
      target_link_libraries(small_library PRIVATE ${CMAKE_MATCH_1})
      cltc_not_sanitized(small_library)
      add_custom_target(small_device
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fixtures/small_device.sh ${CMAKE_SOURCE_DIR} ${CLTC_SMALL_DEVICE} $<TARGET_FILE:small_library> ${POCL_DRIVER}
        DEPENDS small_library
        COMMENT "The built-in functions of PoCL that the tests use")
      # PoCL links each kernel: gold, of the same package as ld, does that in half the time.
      find_program(GOLD ld.gold)
      if(GOLD)
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/small_linker)
        file(CREATE_LINK ${GOLD} ${CMAKE_BINARY_DIR}/small_linker/ld SYMBOLIC)
        list(APPEND CLTC_TEST_ENVIRONMENT "PATH=${CMAKE_BINARY_DIR}/small_linker:$ENV{PATH}")
      endif()
      list(APPEND CLTC_TEST_ENVIRONMENT "OCL_ICD_VENDORS=${CLTC_SMALL_DEVICE}/vendors")
    endif()
  endif()
endif()
if(NOT CLTC_SMALL_DEVICE)
  message(STATUS "Tests run on the installed PoCL, with all of its built-in functions")
endif()
