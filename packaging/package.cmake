# The Debian package: `cpack` in a build folder, or scripts/package, which builds as Debian does and runs lintian.
set(CLTC_MAINTAINER "cltestcheck authors <cltestcheck@users.noreply.github.com>" CACHE STRING
    "Maintainer of the package: NAME <ADDRESS>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cltestcheck)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/staging.cmake) # copyright, changelog, compression

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CLTC_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libclang reads kernels with its own opencl-c-base.h
string(REGEX REPLACE "^.*/llvm-([0-9]+)/.*$" "\\1" CLTC_LLVM ${CLANG_RESOURCES})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang1-${CLTC_LLVM}, libclang-common-${CLTC_LLVM}-dev")
# and its compiler finds mutants that are equal, and reads kernels for proofs
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd, clang-${CLTC_LLVM}")
# Oclgrind runs counterexamples
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "git, lcov, oclgrind, python3-pytest")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "coverage, mutation testing and proofs of OpenCL kernels")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Measures how well the tests of a program exercise its OpenCL kernels, without\n\
a change to program, kernels or build: as a layer between the program and the\n\
driver of any OpenCL device.\n\
.\n\
It reports what the kernels did and never did (branches, loop boundaries,\n\
barriers, lines), which small faults in the kernels the tests would not notice\n\
(mutation testing), and which results depend on the order of work-groups\n\
(schedule amplification). It proves kernels free of races and of barrier\n\
divergence, or shows a counterexample.")
include(CPack)
