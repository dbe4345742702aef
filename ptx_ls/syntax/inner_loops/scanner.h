/* Shared by all parts of `_scanner`: classes of characters, growing buffers, keys of lines.

   Each part does the same as a module in Python, which is used where `_scanner` is not built; tests
   compare the two. Only Python's stable ABI is used, so one build serves every version. */

#ifndef PTX_SCANNER_H
#define PTX_SCANNER_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

enum { WORD = 1, DIGIT = 2, HEX = 4, BLANK = 8, ODD = 16, OPCODE = 32, REGISTER = 64, MARK = 128 };

extern unsigned char ptx_classes[256];

static inline int
is(char c, int class)
{
    return ptx_classes[(unsigned char)c] & class;
}

/* Whether a word may continue with a character. */
static inline int
goes_on(const char *at, const char *end)
{
    return at < end && (is(*at, WORD) || *at == '$' || *at == '.');
}

/* A buffer that grows. */
typedef struct {
    char *bytes;
    Py_ssize_t size, used;
} Buffer;

/* Makes room for more bytes. */
static inline int
reserve(Buffer *buffer, Py_ssize_t more)
{
    Py_ssize_t wanted = buffer->used + more;
    if (buffer->size >= wanted) {
        return 0;
    }
    char *larger = PyMem_Realloc(buffer->bytes, (size_t)wanted * 2);
    if (larger == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    buffer->bytes = larger;
    buffer->size = wanted * 2;
    return 0;
}

static inline int
put_int(Buffer *buffer, int value)
{
    if (reserve(buffer, sizeof value) < 0) {
        return -1;
    }
    memcpy(buffer->bytes + buffer->used, &value, sizeof value);
    buffer->used += sizeof value;
    return 0;
}

/* The end of a name with its components that begins at a place; the place itself for none. */
static inline const char *
end_of_name(const char *at, const char *end, const char **first_end)
{
    const char *start = at;
    if (*at == '%') {
        at++;
    }
    else if (!is(*at, REGISTER)) {
        return start;
    }
    const char *inner = at;
    while (at < end && (is(*at, WORD) || *at == '$')) {
        at++;
    }
    if (at == inner) {
        return start;
    }
    *first_end = at;
    while (at + 1 < end && *at == '.' && is(at[1], WORD)) {
        for (at++; at < end && is(*at, WORD); at++) {
        }
    }
    return at;
}

/* How an instruction uses a register: it reads it, writes it, replaces all of its value; and whether
   this is the first use in the instruction. */
enum { READS = 1, WRITES = 2, KILLS = 4, BEGINS = 8 };

static inline unsigned long long
hash_of(const char *key, Py_ssize_t size)
{
    unsigned long long hash = (unsigned long long)size, word;
    for (; size >= 8; key += 8, size -= 8) {
        memcpy(&word, key, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, key, (size_t)size);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
}

/* Where the opcode of a line begins and, in `stop`, ends; as `scanner.OPCODES` finds it. */
const char *ptx_find_opcode(const char *at, const char *end, const char **stop);

/* Replaces the content of a buffer by the key of a line. */
int ptx_write_key(Buffer *buffer, const char *text, const char *end);

/* The functions and the type that the module has, by parts. */
extern PyMethodDef ptx_line_methods[], ptx_register_methods[], ptx_search_methods[];
extern PyMethodDef ptx_trace_methods[], ptx_block_methods[], ptx_dominator_methods[];
extern PyMethodDef ptx_dependence_methods[];
extern PyType_Spec ptx_known_lines;

#endif
