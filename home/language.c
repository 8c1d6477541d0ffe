/* The table of languages. */
#include "home/language.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const language languages[] = {
    {.extensions = " cl clh clc ocl opencl ", .kernels = true, .slashes = true, .delimited = true, .macros = true},
    {.extensions = " h hpp hh hxx inc inl ipp tpp def ",
     .kernels = true,
     .slashes = true,
     .delimited = true,
     .macros = true},
    {.extensions = " c cc cpp cxx c++ m mm cu ", .slashes = true, .delimited = true, .macros = true},
    {.extensions = " py pyx pxd pyi mako ", .hashes = true, .apostrophes = true, .triple = true},
    {.extensions = " rs ", .slashes = true, .numbered = true},
    {.extensions = " go ", .slashes = true, .backticks = true},
    {.extensions = " js mjs cjs jsx ts tsx ", .slashes = true, .apostrophes = true, .backticks = true},
    {.extensions = " java kt scala groovy swift dart cs ", .slashes = true, .triple = true},
    {.extensions = " jl ", .hashes = true, .triple = true},
    {.extensions = " rb pl pm sh lua r ", .hashes = true, .apostrophes = true},
    {.extensions = NULL, .kernels = true, .slashes = true},
};

/* What programs do not keep kernels in; reports quote them. */
static const char binary[] =
    " o a so obj lib dll exe pyc class jar png jpg jpeg gif bmp ico svg webp tif tiff pdf ps zip gz bz2 xz zst tar 7z "
    "ttf otf woff woff2 mp3 mp4 avi mov wav ogg db sqlite npy npz h5 pt bin dat spv bc po mo lock map min.js css html "
    "htm md rst tex csv tsv log patch diff json sarif xml info stryker ";

const language *language_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash == NULL ? path : slash, '.');
  char extension[16] = " ";
  size_t length = dot == NULL ? 0 : strlen(dot + 1);
  if (length > 0 && length + 3 <= sizeof extension) {
    for (size_t i = 0; i < length; i++) {
      extension[i + 1] = (char)tolower((unsigned char)dot[i + 1]);
    }
    (void)strcpy(extension + length + 1, " ");
    if (strstr(binary, extension) != NULL) {
      return NULL;
    }
  }
  const language *l = languages;
  while (l->extensions != NULL && (length == 0 || extension[1] == '\0' || strstr(l->extensions, extension) == NULL)) {
    l++;
  }
  return l;
}
