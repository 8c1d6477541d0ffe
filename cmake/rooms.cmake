# Rooms: one library a folder, which lists what it may use.
#
#   cltc_room(FOLDER [USES FOLDER…] [LIBRARIES LIBRARY…] [PRIVATE HEADER…])
#
# A room sees its own headers and the public ones of the rooms that it lists, no others: a header of another room does not
# compile. Private are the headers that are listed so, and those named internal.h or *_internal.h. A room can list only
# rooms that are above it in the file, so arrows never point back.

# A detector is a folder, detectors/NAME/. Each of its files is part of a room, by the beginning of its name: it is compiled with
# that room, and may include what that may. Headers are public where the second word says so.
set(CLTC_PARTS_wire record public)
set(CLTC_PARTS_instrument pass private)
set(CLTC_PARTS_layer/observe layer private)
set(CLTC_PARTS_runner/session decoder public)
set(CLTC_PARTS_runner/measure runs private)

# The files that end so of a room: in its folder, and in detectors' that are its part.
function(cltc_files folder ending variable)
  list(GET CLTC_PARTS_${folder} 0 part)
  set(patterns ${CMAKE_SOURCE_DIR}/${folder}/*.${ending})
  if(part)
    list(APPEND patterns ${CMAKE_SOURCE_DIR}/detectors/*/${part}.${ending} ${CMAKE_SOURCE_DIR}/detectors/*/${part}_*.${ending})
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Has a file embedded in the library of its room, its folder if none is named, as the byte array `const char NAME[]`, ended by a
# NUL. Before the room.
function(cltc_embed name file)
  set(input ${CMAKE_SOURCE_DIR}/${file})
  set(made ${CMAKE_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${made}
                     COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${made} -DNAME=${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
                     DEPENDS ${input} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
  get_filename_component(folder ${file} DIRECTORY)
  if(ARGN)
    set(folder ${ARGN})
  endif()
  set_property(GLOBAL APPEND PROPERTY CLTC_EMBEDDED_${folder} ${made})
endfunction()

# What is embedded in a room as the objects of a target embedded-ROOM, which can be linked from other folders, too.
function(cltc_embedded folder variable)
  get_property(sources GLOBAL PROPERTY CLTC_EMBEDDED_${folder})
  set(${variable} PARENT_SCOPE)
  if(sources)
    string(REPLACE "/" "-" name ${folder})
    add_library(embedded-${name} OBJECT ${sources})
    set_target_properties(embedded-${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    set(${variable} $<TARGET_OBJECTS:embedded-${name}> PARENT_SCOPE)
  endif()
endfunction()

# The folders of links through which the headers of a room are included: by others in rooms/, by itself in own/. `owner` is
# the target of its sources; what follows are its private headers.
function(cltc_room_headers folder owner)
  string(REPLACE "/" "-" name ${folder})
  set(seen ${CMAKE_BINARY_DIR}/rooms/${name})
  set(own ${CMAKE_BINARY_DIR}/rooms/own/${name})
  file(REMOVE_RECURSE ${seen} ${own})
  file(MAKE_DIRECTORY ${seen}/${folder} ${own}/${folder})
  cltc_files(${folder} h headers)
  foreach(header ${headers})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${header})
    get_filename_component(file ${path} NAME)
    get_filename_component(from ${path} DIRECTORY)
    file(MAKE_DIRECTORY ${own}/${from} ${seen}/${from})
    file(CREATE_LINK ${header} ${own}/${path} SYMBOLIC)
    if(file MATCHES "^(.*_)?internal\\.h$" OR file IN_LIST ARGN
       OR (NOT from STREQUAL folder AND "private" IN_LIST CLTC_PARTS_${folder}))
      set_property(GLOBAL APPEND PROPERTY CLTC_PRIVATE ${path})
    else()
      file(CREATE_LINK ${header} ${seen}/${path} SYMBOLIC)
    endif()
  endforeach()
  foreach(file ${ARGN})
    if(NOT EXISTS ${own}/${folder}/${file})
      message(FATAL_ERROR "the room ${folder} has no header ${file}")
    endif()
  endforeach()
  target_include_directories(${owner} PRIVATE ${own})
  set_property(GLOBAL PROPERTY CLTC_SEEN_${name} ${seen})
  set_property(GLOBAL APPEND PROPERTY CLTC_ROOMS ${name})
  set_property(GLOBAL PROPERTY CLTC_HEADERS_${name} ${headers})
  set_property(GLOBAL PROPERTY CLTC_OWNER_${name} ${owner})
endfunction()

# Lets a target include the public headers of rooms; with cltc_use it is linked with them, too.
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

# An exception: lets one other room include a private header.
function(cltc_open header reader)
  string(REPLACE "/" "-" name ${reader})
  set(opened ${CMAKE_BINARY_DIR}/rooms/opened/${name})
  get_filename_component(folder ${header} DIRECTORY)
  file(MAKE_DIRECTORY ${opened}/${folder})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${header} ${opened}/${header} SYMBOLIC)
  target_include_directories(room-${name} PRIVATE ${opened})
  set_property(GLOBAL APPEND PROPERTY CLTC_OPENED_${name} ${header})
endfunction()

function(cltc_use target)
  cltc_see(${target} ${ARGN})
  list(TRANSFORM ARGN REPLACE "/" "-" OUTPUT_VARIABLE names)
  list(TRANSFORM names PREPEND "room-")
  target_link_libraries(${target} PUBLIC ${names})
endfunction()

function(cltc_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "USES;LIBRARIES;PRIVATE")
  string(REPLACE "/" "-" name ${folder})
  cltc_files(${folder} c sources)
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  cltc_embedded(${folder} embedded)
  add_library(room-${name} STATIC ${sources} ${embedded})
  target_compile_definitions(room-${name} PRIVATE CLTC_VERSION="${PROJECT_VERSION}" CL_TARGET_OPENCL_VERSION=300)
  cltc_room_headers(${folder} room-${name} ${ROOM_PRIVATE})
  cltc_use(room-${name} ${ROOM_USES})
  target_link_libraries(room-${name} PUBLIC ${ROOM_LIBRARIES})
endfunction()
