# A file as a byte array: cmake -DINPUT=FILE -DOUTPUT=FILE.c -DNAME=NAME -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"reports/html/assets.h\"\n\nconst char ${NAME}[] = {${bytes}0};\n")
