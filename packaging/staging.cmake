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
