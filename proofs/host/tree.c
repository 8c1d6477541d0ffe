/* The tree of a host program: its files are parsed one after the other, with their declarations and types. */
#include "proofs/host/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "frontend/frontend.h"

static void host_read_unit(host_reader *r);

static const host_type *host_type_of(host_reader *r, CXType type);

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Memory that is given back as a whole, and the tables in it. */

struct host_pool {
  mem_arena memory;
  host_map texts;
};

struct host_map_entry {
  const void *key;
  size_t size;
  uint64_t hash;
  void *value;
};

host_pool *host_pool_new(void) { return mem_calloc(1, sizeof(host_pool)); }

void host_pool_free(host_pool *p) {
  if (p == NULL) return;
  mem_arena_free(&p->memory);
  host_map_free(&p->texts);
  free(p);
}

void *host_take(host_pool *p, size_t size) { return mem_arena_take(&p->memory, size); }

/* --- tables ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *key, size_t size) {
  const uint64_t hash = hash_more(HASH_EMPTY, key, size);
  return hash ^ (hash >> 29);
}

static void grow(host_map *m) {
  host_map larger = {.capacity = m->capacity == 0 ? 64 : 2 * m->capacity, .count = m->count};
  larger.entries = mem_calloc(larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->entries[i].key != NULL) {
      size_t at = m->entries[i].hash & (larger.capacity - 1);
      while (larger.entries[at].key != NULL) at = (at + 1) & (larger.capacity - 1);
      larger.entries[at] = m->entries[i];
    }
  }
  free(m->entries);
  *m = larger;
}

void **host_map_at(host_pool *p, host_map *m, const void *key, size_t size) {
  if (2 * (m->count + 1) > m->capacity) grow(m);
  const uint64_t hash = hash_of(key, size);
  size_t at = hash & (m->capacity - 1);
  for (; m->entries[at].key != NULL; at = (at + 1) & (m->capacity - 1)) {
    struct host_map_entry *e = &m->entries[at];
    if (e->hash == hash && e->size == size && memcmp(e->key, key, size) == 0) return &e->value;
  }
  void *copy = host_take(p, size + 1);
  memcpy(copy, key, size);
  m->entries[at] = (struct host_map_entry){.key = copy, .size = size, .hash = hash};
  m->count++;
  return &m->entries[at].value;
}

void host_map_free(host_map *m) {
  free(m->entries);
  *m = (host_map){0};
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

const char *host_text(host_pool *p, const char *text) {
  const size_t length = strlen(text);
  void **value = host_map_at(p, &p->texts, text, length);
  if (*value == NULL) *value = mem_arena_copy_part(&p->memory, text, length);
  return *value;
}

const char *host_text_printf(host_pool *p, const char *format, ...) {
  va_list arguments;
  char text[4096];
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return host_text(p, text);
}

enum { MOST_NOTES = 50 };

host_tree *host_tree_new(void) {
  host_tree *t = mem_calloc(1, sizeof *t);
  t->pool = host_pool_new();
  t->complete = true;
  t->plain = true;
  return t;
}

void host_tree_free(host_tree *t) {
  if (t == NULL) return;
  host_map_free(&t->types);
  host_map_free(&t->decls);
  for (size_t i = 0; i < t->function_count; i++) free(t->functions[i]->parameters);
  free(t->functions);
  free(t->globals);
  free(t->all);
  free(t->notes);
  host_pool_free(t->pool);
  free(t);
}

void host_tree_note(host_tree *t, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *note = host_text(t->pool, text);
  for (size_t i = 0; i < t->note_count; i++)
    if (t->notes[i] == note) return;
  if (t->note_count < MOST_NOTES) *ARRAY_ADD(t->notes, t->note_count, t->note_capacity) = note;
}

void host_tree_forget(host_tree *t, const char *name) {
  for (size_t i = 0; i < t->all_count; i++) {
    host_decl *d = t->all[i];
    if (strcmp(d->name, name) == 0) {
      d->wild = d->wild || d->kind == HOST_OBJECT || d->kind == HOST_FIELD;
      d->hidden_calls = d->hidden_calls || d->kind == HOST_FUNCTION;
    }
  }
}

int host_tree_add(host_tree *t, const char *file, const char *const *arguments, size_t count, error *e) {
  static const char *const own[] = {"-Wno-everything",
                                    "-Wunknown-attributes",
                                    "-Wignored-attributes",
                                    "-Wunknown-pragmas",
                                    "-Wno-error=implicit-function-declaration",
                                    "-Wno-error=int-conversion",
                                    "-Wno-error=incompatible-function-pointer-types",
                                    "-Wno-error=implicit-int",
                                    "-Wno-dynamic-exception-spec",
                                    "-Wno-c++11-narrowing",
                                    "-Wno-register",
                                    "-Wno-return-mismatch",
                                    "-ferror-limit=0",
                                    "-idirafter"};
  const size_t own_count = sizeof own / sizeof own[0];
  if (access(file, R_OK) != 0) return error_set(e, EXIT_USAGE, "cannot read the host file %s", file);
  const char **all = mem_calloc(count + own_count + 1, sizeof *all);
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(arguments[i], "-w") != 0) all[used++] = arguments[i];
  for (size_t i = 0; i < own_count; i++) all[used++] = own[i];
  all[used++] = front_clang_headers();
  CXIndex index = clang_createIndex(0, 0);
  host_reader r = {.tree = t, .number = ++t->file_count};
  int result = 0;
  const unsigned how = CXTranslationUnit_KeepGoing | CXTranslationUnit_VisitImplicitAttributes;
  const enum CXErrorCode code = clang_parseTranslationUnit2(index, file, all, (int)used, NULL, 0, how, &r.unit);
  if (code != CXError_Success || r.unit == NULL) {
    result = error_set(e, EXIT_USAGE, "libclang cannot read the host file %s: look at its compile options", file);
  } else {
    const char *name = strrchr(file, '.');
    t->plain = t->plain && name != NULL && strcmp(name, ".c") == 0;
    host_read_unit(&r);
    host_read_known(&r);
    host_read_damage(&r);
    clang_disposeTranslationUnit(r.unit);
  }
  clang_disposeIndex(index);
  free(all);
  return result;
}

/* --- declarations and types, read with libclang ------------------------------------------------------------------- */

/* --- small things of libclang ------------------------------------------------------------------------------------- */

const char *host_take_string(host_reader *r, CXString s) {
  const char *c = clang_getCString(s);
  const char *text = host_text(r->tree->pool, c == NULL ? "" : c);
  clang_disposeString(s);
  return text;
}

static host_where host_where_of(host_reader *r, CXCursor cursor) {
  CXFile file = NULL;
  host_where where = {0};
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, &where.line, &where.column, NULL);
  where.file = file == NULL ? "" : host_take_string(r, clang_getFileName(file));
  return where;
}

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  cursor_list *list = data;
  *ARRAY_ADD(list->items, list->count, list->capacity) = cursor;
  return CXChildVisit_Continue;
}

cursor_list host_children_of(CXCursor cursor) {
  cursor_list list = {0};
  (void)clang_visitChildren(cursor, add_child, &list);
  return list;
}

host_node *host_new_node(host_reader *r, host_kind kind, CXCursor cursor) {
  host_node *n = host_take(r->tree->pool, sizeof *n);
  n->kind = kind;
  n->where = host_where_of(r, cursor);
  n->type = host_type_of(r, clang_getCursorType(cursor));
  return n;
}

/* --- types -------------------------------------------------------------------------------------------------------- */

static host_type_kind kind_of(enum CXTypeKind kind) {
  static const struct {
    enum CXTypeKind first, last;
    host_type_kind kind;
  } kinds[] = {
      {CXType_Void, CXType_Void, HOST_VOID},
      {CXType_Bool, CXType_Int128, HOST_INTEGER},
      {CXType_Half, CXType_Half, HOST_FLOAT},
      {CXType_Float, CXType_LongDouble, HOST_FLOAT},
      {CXType_Float128, CXType_Float16, HOST_FLOAT},
      {CXType_NullPtr, CXType_NullPtr, HOST_POINTER},
      {CXType_Enum, CXType_Enum, HOST_INTEGER},
      {CXType_Pointer, CXType_Pointer, HOST_POINTER},
      {CXType_LValueReference, CXType_RValueReference, HOST_REFERENCE},
      {CXType_Record, CXType_Record, HOST_RECORD},
      {CXType_ConstantArray, CXType_ConstantArray, HOST_ARRAY},
      {CXType_IncompleteArray, CXType_DependentSizedArray, HOST_ARRAY},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (kind >= kinds[i].first && kind <= kinds[i].last) return kinds[i].kind;
  return HOST_OTHER_TYPE;
}

static bool is_signed_kind(CXType type) {
  if (type.kind == CXType_Enum)
    type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
  return type.kind >= CXType_Char_S && type.kind <= CXType_Int128;
}

typedef struct field_list {
  host_reader *reader;
  host_type *type;
} field_list;

static enum CXVisitorResult add_field(CXCursor field, CXClientData data) {
  field_list *l = data;
  l->type->fields[l->type->field_count++] = host_decl_of(l->reader, field);
  return CXVisit_Continue;
}

/* Whether a member of a class, or a part of it, begins as its class says: by a constructor, or by a value of its own. */
static bool begins_otherwise(host_reader *r, CXCursor member) {
  const enum CXCursorKind kind = clang_getCursorKind(member);
  const host_type *type = kind == CXCursor_FieldDecl ? host_type_of(r, clang_getCursorType(member)) : NULL;
  const bool array = type != NULL && type->kind == HOST_ARRAY;
  bool begins = kind == CXCursor_Constructor;
  for (; type != NULL && !begins; type = type->kind == HOST_ARRAY ? type->target : NULL) begins = type->begins;
  cursor_list parts = host_children_of(member);
  for (size_t i = 0; i < parts.count && kind == CXCursor_FieldDecl; i++) { /* an array's size stands there, too */
    const enum CXCursorKind of = clang_getCursorKind(parts.items[i]);
    begins =
        begins || (array ? of == CXCursor_InitListExpr || of == CXCursor_StringLiteral : clang_isExpression(of) != 0);
  }
  free(parts.items);
  return begins;
}

/* Fields in the order in which `{…}` gives them their values. */
static void describe_fields(host_reader *r, host_type *t, CXType type) {
  CXCursor declaration = clang_getTypeDeclaration(type);
  cursor_list children = host_children_of(declaration);
  bool plain = clang_getCursorKind(declaration) == CXCursor_StructDecl;
  for (size_t i = 0; i < children.count; i++) {
    plain = plain && clang_getCursorKind(children.items[i]) != CXCursor_CXXBaseSpecifier;
    t->begins = t->begins || begins_otherwise(r, children.items[i]);
  }
  t->fields = host_take(r->tree->pool, (children.count + 1) * sizeof(*t->fields));
  field_list list = {r, t};
  if (plain) (void)clang_Type_visitFields(type, add_field, &list);
  free(children.items);
}

static const host_type *host_type_of(host_reader *r, CXType type) {
  type = clang_getCanonicalType(type);
  const char *name = host_take_string(r, clang_getTypeSpelling(type));
  char key[48];
  /* Records of one name in two files may differ. */
  (void)snprintf(key, sizeof key, "%p %u", (const void *)name, type.kind == CXType_Record ? r->number : 0);
  void **at = host_map_at(r->tree->pool, &r->tree->types, key, strlen(key));
  if (*at != NULL) return *at;
  host_type *t = host_take(r->tree->pool, sizeof *t);
  *at = t; /* before types that it is made of, which may be made of it */
  const host_type_kind kind = kind_of(type.kind);
  const bool sized = kind == HOST_INTEGER || kind == HOST_FLOAT || kind == HOST_POINTER || kind == HOST_RECORD ||
                     type.kind == CXType_ConstantArray; /* libclang dies of some other types */
  const long long size = sized ? clang_Type_getSizeOf(type) : 0;
  *t = (host_type){.kind = kind,
                   .size = size > 0 ? (uint64_t)size : 0,
                   .is_signed = is_signed_kind(type),
                   .is_bool = type.kind == CXType_Bool,
                   .is_const = clang_isConstQualifiedType(type) != 0,
                   .is_volatile = clang_isVolatileQualifiedType(type) != 0,
                   .name = name};
  if (t->kind == HOST_INTEGER && (t->size == 0 || t->size > 8)) t->kind = HOST_OTHER_TYPE;
  if (t->kind == HOST_POINTER || t->kind == HOST_REFERENCE)
    t->target = host_type_of(r, clang_getPointeeType(type));
  else if (t->kind == HOST_ARRAY)
    t->target = host_type_of(r, clang_getArrayElementType(type));
  else if (t->kind == HOST_RECORD)
    describe_fields(r, t, type);
  return t;
}

const host_type *host_integer_type(host_tree *t, unsigned bits, bool is_signed) {
  char key[32];
  (void)snprintf(key, sizeof key, "own %c%u", is_signed ? 'i' : 'u', bits);
  void **at = host_map_at(t->pool, &t->types, key, strlen(key));
  if (*at == NULL) {
    host_type *made = host_take(t->pool, sizeof *made);
    *made =
        (host_type){.kind = HOST_INTEGER, .size = bits / 8, .is_signed = is_signed, .name = host_text(t->pool, key)};
    *at = made;
  }
  return *at;
}

/* --- declarations ------------------------------------------------------------------------------------------------- */

static bool is_function(enum CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

static host_decl_kind decl_kind(enum CXCursorKind kind) {
  if (is_function(kind)) return HOST_FUNCTION;
  switch (kind) {
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl: return HOST_OBJECT;
    case CXCursor_FieldDecl: return HOST_FIELD;
    case CXCursor_LabelStmt: return HOST_LABEL_DECL;
    default: return HOST_OTHER_DECL;
  }
}

static bool is_external(CXCursor cursor) {
  const enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
  return linkage == CXLinkage_External || linkage == CXLinkage_UniqueExternal;
}

static bool is_static_storage(CXCursor cursor) {
  const enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return clang_getCursorKind(cursor) == CXCursor_VarDecl &&
         (is_external(cursor) || clang_Cursor_getStorageClass(cursor) == CX_SC_Static ||
          parent == CXCursor_TranslationUnit || parent == CXCursor_Namespace || parent == CXCursor_StructDecl ||
          parent == CXCursor_ClassDecl);
}

/* Headers of OpenCL may lie beside the program. */
static bool is_opencl_header(const char *file) {
  static const char *const names[] = {"/cl.h", "/cl_ext.h", "/cl_gl.h", "/cl_platform.h", "/opencl.h"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const size_t length = strlen(file);
    if (length > strlen(names[i]) && strcmp(file + length - strlen(names[i]), names[i]) == 0) return true;
  }
  return false;
}

static void describe(host_reader *r, host_decl *d, CXCursor cursor) {
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  d->kind = decl_kind(kind);
  d->name = host_take_string(r, clang_getCursorSpelling(cursor));
  d->where = host_where_of(r, cursor);
  d->system = clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0 || is_opencl_header(d->where.file);
  d->global = is_static_storage(cursor);
  d->external = is_external(cursor);
  d->method = kind == CXCursor_CXXMethod || kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
              kind == CXCursor_ConversionFunction;
  CXType type = clang_getCursorType(cursor);
  d->type = d->kind == HOST_FUNCTION ? host_type_of(r, clang_getResultType(type)) : host_type_of(r, type);
  if (d->kind == HOST_FUNCTION) {
    const int count = clang_getNumArgTypes(type);
    d->variadic = type.kind == CXType_FunctionProto && clang_isFunctionTypeVariadic(type) != 0;
    d->types = host_take(r->tree->pool, (count < 0 ? 1 : (size_t)count + 1) * sizeof *d->types);
    for (int i = 0; i < count; i++) d->types[d->type_count++] = host_type_of(r, clang_getArgType(type, (unsigned)i));
  }
  const bool bits = kind == CXCursor_FieldDecl && clang_Cursor_isBitField(cursor) != 0; /* narrower than its type */
  d->wild = d->type->is_volatile || bits || clang_isInvalidDeclaration(cursor) != 0 ||
            (d->kind == HOST_OBJECT && clang_getCursorTLSKind(cursor) != CXTLS_None) ||
            kind == CXCursor_FunctionTemplate;
  d->dynamic = clang_CXXMethod_isVirtual(cursor) != 0;
  d->hidden_calls = kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction ||
                    kind == CXCursor_FunctionTemplate || d->dynamic ||
                    (d->kind == HOST_FUNCTION && strncmp(d->name, "operator", 8) == 0);
}

/* One header may be included by several paths. */
static const char *real_path(host_reader *r, CXCursor cursor) {
  CXFile file = NULL;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  return file == NULL ? host_text(r->tree->pool, "") : host_take_string(r, clang_File_tryGetRealPathName(file));
}

host_decl *host_decl_of(host_reader *r, CXCursor declaration) {
  if (clang_Cursor_isNull(declaration) != 0) return NULL;
  CXCursor canonical = clang_getCanonicalCursor(declaration);
  char key[128];
  const char *usr = host_take_string(r, clang_getCursorUSR(canonical));
  const enum CXCursorKind kind = clang_getCursorKind(canonical);
  if (usr[0] != '\0' && kind == CXCursor_FieldDecl) { /* structs of one name in two files are two structs */
    const host_where where = host_where_of(r, canonical);
    (void)snprintf(key, sizeof key, "%p %p %u %u", (const void *)usr, (const void *)real_path(r, canonical), where.line,
                   where.column);
  } else if (usr[0] != '\0' && (is_function(kind) || is_external(canonical))) {
    (void)snprintf(key, sizeof key, "%p", (const void *)usr);
  } else { /* a label is a statement: the first pointer of its cursor is the function's */
    (void)snprintf(key, sizeof key, "%u#%p", r->number, canonical.data[kind == CXCursor_LabelStmt ? 1 : 0]);
  }
  void **at = host_map_at(r->tree->pool, &r->tree->decls, key, strlen(key));
  if (*at != NULL) return *at;
  host_decl *d = host_take(r->tree->pool, sizeof *d);
  *at = d; /* before it is described: that may find others, and move the table */
  describe(r, d, canonical);
  *ARRAY_ADD(r->tree->all, r->tree->all_count, r->tree->all_capacity) = d;
  if (d->kind == HOST_OBJECT && d->global)
    *ARRAY_ADD(r->tree->globals, r->tree->global_count, r->tree->global_capacity) = d;
  return d;
}

/* --- the top of the tree ------------------------------------------------------------------------------------------ */

static void add_parameters(host_reader *r, host_decl *d, CXCursor cursor) {
  d->parameter_count = 0;
  const int count = clang_Cursor_getNumArguments(cursor);
  for (int i = 0; i < count; i++) {
    host_decl *p = host_decl_of(r, clang_Cursor_getArgument(cursor, (unsigned)i));
    *ARRAY_ADD(d->parameters, d->parameter_count, d->parameter_capacity) = p;
  }
}

/* What a constructor gives its members before its body, as assignments. */
typedef struct member_list {
  host_node **items;
  size_t count, capacity;
  host_decl *member; /* whose value comes next */
} member_list;

static void read_member(host_reader *r, member_list *l, CXCursor cursor) {
  if (clang_getCursorKind(cursor) == CXCursor_MemberRef) {
    l->member = host_decl_of(r, clang_getCursorReferenced(cursor));
    return;
  }
  if (l->member == NULL) { /* of a base */
    r->function->unstructured = true;
    return;
  }
  host_node *object = host_new_node(r, HOST_MEMBER, cursor);
  object->decl = l->member;
  object->type = l->member->type;
  host_node *n = host_new_node(r, HOST_ASSIGN, cursor);
  n->type = l->member->type;
  n->children = host_take(r->tree->pool, 2 * sizeof *n->children);
  n->children[n->count++] = object;
  n->children[n->count++] = host_read_expression(r, cursor);
  *ARRAY_ADD(l->items, l->count, l->capacity) = n;
  l->member = NULL;
}

static void put_first(host_reader *r, host_node *body, const member_list *l) {
  host_node **all = host_take(r->tree->pool, (body->count + l->count + 1) * sizeof *all);
  for (size_t i = 0; i < l->count + body->count; i++)
    all[i] = i < l->count ? l->items[i] : body->children[i - l->count];
  body->children = all;
  body->count += l->count;
}

static void read_function(host_reader *r, CXCursor cursor) {
  host_decl *d = host_decl_of(r, cursor);
  if (clang_isCursorDefinition(cursor) == 0 || d->body != NULL) return;
  cursor_list children = host_children_of(cursor);
  member_list members = {0};
  r->function = d;
  for (size_t i = 0; i < children.count; i++) {
    const enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (kind == CXCursor_CompoundStmt) {
      add_parameters(r, d, cursor);
      d->body = host_read_statement(r, children.items[i]);
      put_first(r, d->body, &members);
      *ARRAY_ADD(r->tree->functions, r->tree->function_count, r->tree->function_capacity) = d;
    } else if (kind == CXCursor_CXXTryStmt) { /* a body that is one try block */
      d->hidden_calls = true;
    } else if (clang_getCursorKind(cursor) == CXCursor_Constructor &&
               (clang_isExpression(kind) || kind == CXCursor_MemberRef)) {
      read_member(r, &members, children.items[i]);
    }
  }
  r->function = NULL;
  free(members.items);
  free(children.items);
}

void host_note_definition(host_decl *d, CXCursor cursor) {
  const enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  const bool member = parent == CXCursor_StructDecl || parent == CXCursor_ClassDecl;
  d->defined = d->defined || clang_isCursorDefinition(cursor) != 0 ||
               (!member && clang_Cursor_getStorageClass(cursor) != CX_SC_Extern);
}

static void read_global(host_reader *r, CXCursor cursor) {
  host_decl *d = host_decl_of(r, cursor);
  CXCursor first = clang_Cursor_getVarDeclInitializer(cursor);
  host_note_definition(d, cursor);
  if (d->first == NULL && clang_Cursor_isNull(first) == 0) d->first = host_read_expression(r, first);
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  host_reader *r = data;
  const enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0) return CXChildVisit_Continue;
  if (is_function(kind))
    read_function(r, cursor);
  else if (kind == CXCursor_VarDecl)
    read_global(r, cursor);
  else if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_StructDecl ||
           kind == CXCursor_ClassDecl || kind == CXCursor_UnexposedDecl || kind == CXCursor_ClassTemplate)
    return CXChildVisit_Recurse;
  return CXChildVisit_Continue;
}

static void host_read_unit(host_reader *r) {
  (void)clang_visitChildren(clang_getTranslationUnitCursor(r->unit), visit_top, r);
}
