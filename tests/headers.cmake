# Every header of a room compiles alone, with nothing but what the room may use. A room finds the private headers of its own,
# and none of other rooms'. One call of the compiler a room.
if(NOT CLTC_SANITIZE)
  get_property(rooms GLOBAL PROPERTY CLTC_ROOMS)
  get_property(private GLOBAL PROPERTY CLTC_PRIVATE)
  foreach(name ${rooms})
    get_property(headers GLOBAL PROPERTY CLTC_HEADERS_${name})
    get_property(owner GLOBAL PROPERTY CLTC_OWNER_${name})
    get_property(opened GLOBAL PROPERTY CLTC_OPENED_${name})
    set(found)
    foreach(header ${private})
      set(not "")
      if(header IN_LIST opened OR ${CMAKE_SOURCE_DIR}/${header} IN_LIST headers)
        set(not !)
      endif()
      string(APPEND found "#if ${not}__has_include(\"${header}\")\n#error ${header} is private\n#endif\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/alone/private_${name}.h CONTENT "${found}" @ONLY)
    set(folders $<TARGET_PROPERTY:${owner},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${owner},COMPILE_DEFINITIONS>)
    add_test(NAME headers_${name}
             COMMAND ${CMAKE_C_COMPILER} -std=c11 -fsyntax-only -D_GNU_SOURCE "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
                     "-I$<JOIN:${folders},;-I>" ${headers} ${CMAKE_CURRENT_BINARY_DIR}/alone/private_${name}.h
             COMMAND_EXPAND_LISTS)
    cltc_test_words(headers_${name} quick)
    set_property(TEST headers_${name} APPEND PROPERTY LABELS ${name})
  endforeach()
endif()
