# Run by cpack before it packs: what Debian wants beside what `cmake --install` installs.
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${root}/share/doc/cltestcheck)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${documents}
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/changelog DESTINATION ${documents}
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB pages ${root}/share/man/man1/*.1)
file(REMOVE ${documents}/LICENSE) # Debian: the licence is in copyright
execute_process(COMMAND gzip --best --no-name --force ${pages} ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${root}/share/zsh/site-functions) # where Debian's zsh looks
  file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
endif()

# The pytest plugin where Debian's Python finds it, and what tells pytest of it.
set(python ${root}/lib/python3/dist-packages)
set(described ${python}/pytest_cltestcheck-${CPACK_PACKAGE_VERSION}.dist-info)
file(MAKE_DIRECTORY ${described})
file(CREATE_LINK ../../../share/cltestcheck/pytest/pytest_cltestcheck.py ${python}/pytest_cltestcheck.py SYMBOLIC)
file(WRITE ${described}/METADATA "Metadata-Version: 2.1\nName: pytest-cltestcheck\nVersion: ${CPACK_PACKAGE_VERSION}\n")
file(WRITE ${described}/entry_points.txt "[pytest11]\npytest_cltestcheck = pytest_cltestcheck\n")
file(WRITE ${described}/INSTALLER "dpkg\n")
