# Rooms: one library a folder, which lists what it may use.
#
#   cltc_room(FOLDER [USES FOLDER…] [LIBRARIES LIBRARY…])
#
# A room sees its own headers and those of the rooms that it lists, no others: a header of another room does not compile.
# A room can list only rooms that are above it in the file, so arrows never point back.

# Has a file of a room embedded in its library as the byte array `const char NAME[]`, ended by a NUL. Before the room.
function(cltc_embed name file)
  set(input ${CMAKE_SOURCE_DIR}/${file})
  set(made ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${made}
                     COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${made} -DNAME=${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
                     DEPENDS ${input} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  get_filename_component(folder ${file} DIRECTORY)
  set_property(GLOBAL APPEND PROPERTY CLTC_EMBEDDED_${folder} ${made})
endfunction()

# The folder through which others include the headers of a room; `owner` is the target of its sources.
function(cltc_room_headers folder owner)
  string(REPLACE "/" "-" name ${folder})
  set(seen ${CMAKE_BINARY_DIR}/rooms/${name})
  file(REMOVE_RECURSE ${seen})
  file(MAKE_DIRECTORY ${seen}/${folder})
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  foreach(header ${headers})
    get_filename_component(file ${header} NAME)
    file(CREATE_LINK ${header} ${seen}/${folder}/${file} SYMBOLIC)
  endforeach()
  set_property(GLOBAL PROPERTY CLTC_SEEN_${name} ${seen})
  set_property(GLOBAL APPEND PROPERTY CLTC_ROOMS ${name})
  set_property(GLOBAL PROPERTY CLTC_HEADERS_${name} ${headers})
  set_property(GLOBAL PROPERTY CLTC_OWNER_${name} ${owner})
endfunction()

# Lets a target include the headers of rooms; with cltc_use it is linked with them, too.
function(cltc_see target)
  foreach(folder ${ARGN})
    string(REPLACE "/" "-" name ${folder})
    get_property(seen GLOBAL PROPERTY CLTC_SEEN_${name})
    if(NOT seen)
      message(FATAL_ERROR "${target} uses the room ${folder}, which is not above it: arrows never point back")
    endif()
    target_include_directories(${target} PRIVATE ${seen})
  endforeach()
endfunction()
function(cltc_use target)
  cltc_see(${target} ${ARGN})
  list(TRANSFORM ARGN REPLACE "/" "-" OUTPUT_VARIABLE names)
  list(TRANSFORM names PREPEND "room-")
  target_link_libraries(${target} PUBLIC ${names})
endfunction()

function(cltc_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "USES;LIBRARIES")
  string(REPLACE "/" "-" name ${folder})
  cltc_room_headers(${folder} room-${name})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  get_property(embedded GLOBAL PROPERTY CLTC_EMBEDDED_${folder})
  add_library(room-${name} STATIC ${sources} ${embedded})
  target_compile_definitions(room-${name} PRIVATE CLTC_VERSION="${PROJECT_VERSION}" CL_TARGET_OPENCL_VERSION=300)
  cltc_see(room-${name} ${folder})
  cltc_use(room-${name} ${ROOM_USES})
  target_link_libraries(room-${name} PUBLIC ${ROOM_LIBRARIES})
endfunction()
