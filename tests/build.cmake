# The build with make. Without CLTC_FULL a target that takes what other folders make.
if(NOT CLTC_SANITIZE)
  cltc_share(targets newcomer-layer "all;tests")
  cltc_test(build_make "cost=20 timeout=1800" ${CMAKE_CURRENT_SOURCE_DIR}/build.sh ${CMAKE_SOURCE_DIR} ${targets})
endif()

# What the pages name exists.
if(NOT CLTC_SANITIZE)
  cltc_test(docs "quick" ${CMAKE_SOURCE_DIR}/scripts/check-docs ${CMAKE_BINARY_DIR})
endif()
