# The build with make. Without CLTC_FULL a target that takes what other folders make.
if(NOT CLTC_SANITIZE)
  cltc_share(targets newcomer-layer "all;tests")
  cltc_test(build_make "cost=20 timeout=1800" ${CMAKE_CURRENT_SOURCE_DIR}/build.sh ${CMAKE_SOURCE_DIR} ${targets})
endif()

# What the pages name exists.
if(NOT CLTC_SANITIZE)
  cltc_test(docs "quick" ${CMAKE_SOURCE_DIR}/scripts/check-docs ${CMAKE_BINARY_DIR})
endif()

# The walks of docs/architecture.md. What traces them knows one processor.
find_program(PYTHON3 python3)
if(CLTC_DEVICE AND CLTC_VERIFY AND PYTHON3 AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_library(walk_steps MODULE ${FIXTURES}/walk_steps.c)
  target_link_libraries(walk_steps PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(walk_steps PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  cltc_test(walks "cost=20" ${CMAKE_CURRENT_SOURCE_DIR}/check-walks ${CMAKE_BINARY_DIR})
endif()
