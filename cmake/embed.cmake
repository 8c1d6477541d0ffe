# A file as a byte array that ends with a NUL: cmake -DINPUT=FILE -DOUTPUT=FILE.c -DNAME=NAME -P embed.cmake
# Of OpenCL C, blank lines and those that begin with // are left out: they are for readers of the file.
if(INPUT MATCHES "\\.cl$")
  file(READ ${INPUT} text)
  string(REGEX REPLACE "\n//[^\n]*" "" text "\n${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  string(SUBSTRING "${text}" 1 -1 text)
  string(HEX "${text}" bytes)
else()
  file(READ ${INPUT} bytes HEX)
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
