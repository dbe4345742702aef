/* The inner loops of reading, for machines that can compile them.

   `ptx_ls/syntax/scanner.py` says the same in Python and is used where this is not built; a test
   compares the two. Only Python's stable ABI is used, so that one build serves every version. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <string.h>

enum { WORD = 1, DIGIT = 2, HEX = 4, BLANK = 8, ODD = 16, OPCODE = 32, REGISTER = 64 };

static unsigned char classes[256];

/* Digits of a number that may be too large for 64 bits. */
enum { LONG_NUMBER = 20 };

static void
classify(void)
{
    for (int c = 0; c < 256; c++) {
        int is_digit = c >= '0' && c <= '9';
        int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        int is_hex = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        classes[c] = (unsigned char)(
            (is_digit || is_letter ? WORD | OPCODE : 0) | (is_digit ? DIGIT : 0)
            | (is_hex ? HEX : 0) | (c == ' ' || c == '\t' ? BLANK : 0) | (c < 8 ? ODD : 0)
            | (c == '.' || c == ':' ? OPCODE : 0) | (is_letter || c == '$' ? REGISTER : 0));
    }
}

static int
is(char c, int class)
{
    return classes[(unsigned char)c] & class;
}

/* How many hexadecimal digits stand at a place, `most` at most. */
static Py_ssize_t
hex_digits(const char *at, const char *end, Py_ssize_t most)
{
    const char *first = at;
    while (at < end && at - first < most && is(*at, HEX)) {
        at++;
    }
    return at - first;
}

/* Whether a word may go on with a character. */
static int
goes_on(const char *at, const char *end)
{
    return at < end && (is(*at, WORD) || *at == '$' || *at == '.');
}

/* The end of the number in hexadecimal that begins with the 0 at a place, or NULL; writes what is
   left of it. Bits of a float have to be all there. */
static const char *
take_bits(const char *at, const char *end, char **out)
{
    char kind = at + 1 < end ? at[1] : 0;
    Py_ssize_t wanted = 0;
    switch (kind) {
    case 'f': case 'F': wanted = 8; break;
    case 'd': case 'D': wanted = 16; break;
    case 'x': case 'X': break;
    default: return NULL;
    }
    Py_ssize_t count = hex_digits(at + 2, end, wanted ? wanted : 16);
    if (wanted ? count < wanted : !count) {
        return NULL;
    }
    const char *after = at + 2 + count;
    int is_unsigned = !wanted && after < end && *after == 'U';
    after += is_unsigned;
    if (goes_on(after, end)) {
        return NULL;
    }
    *(*out)++ = '\1';
    *(*out)++ = kind;
    if (is_unsigned) {
        *(*out)++ = 'U';
    }
    return after;
}

/* Copies text without what its numbers are; `before`: the character in front of it. */
static char *
copy_numberless(const char *at, const char *end, char before, char *out)
{
    while (at < end) {
        char c = *at;
        if (!is(c, DIGIT)) {
            *out++ = before = c;
            at++;
            continue;
        }
        int is_number = !is(before, WORD) && before != '$' && before != '.' && before != '%';
        const char *after = is_number && c == '0' ? take_bits(at, end, &out) : NULL;
        if (after == NULL) {
            after = at;
            while (after < end && is(*after, DIGIT)) {
                after++;
            }
            if (is_number && c == '0' && after - at > 1) { /* octal, or none */
                memcpy(out, at, (size_t)(after - at));
                out += after - at;
            }
            else {
                *out++ = after - at >= LONG_NUMBER ? '\0' : '0';
            }
        }
        before = after[-1];
        at = after;
    }
    return out;
}

/* Where the opcode of a line begins and, in `stop`, ends; as `scanner.OPCODES` has it. */
static const char *
find_opcode(const char *at, const char *end, const char **stop)
{
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    if (at < end && *at == '@') {
        const char *guard = at;
        while (guard < end && !is(*guard, BLANK) && *guard != '\r' && *guard != '\n') {
            guard++;
        }
        const char *blanks = guard;
        while (guard < end && is(*guard, BLANK)) {
            guard++;
        }
        if (guard > blanks) {
            at = guard;
        }
    }
    const char *last = at;
    while (last < end && is(*last, OPCODE)) {
        last++;
    }
    for (;;) {
        const char *next = last;
        while (next < end && is(*next, BLANK)) {
            next++;
        }
        if (next == last || next + 1 >= end || *next != '.' || !is(next[1], OPCODE)) {
            break;
        }
        last = next + 1;
        while (last < end && is(*last, OPCODE)) {
            last++;
        }
    }
    *stop = last;
    return at;
}

/* A buffer that grows. */
typedef struct {
    char *bytes;
    Py_ssize_t size;
} Buffer;

/* The key of a line, a new reference. */
static PyObject *
key_of(PyObject *line, Buffer *buffer)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(line, &size);
    if (text == NULL) {
        PyErr_Clear(); /* half of a surrogate pair */
        return Py_NewRef(line);
    }
    if (PyUnicode_GetLength(line) != size) {
        return Py_NewRef(line);
    }
    if (buffer->size < size + 1) {
        char *larger = PyMem_Realloc(buffer->bytes, (size_t)size * 2 + 1);
        if (larger == NULL) {
            return PyErr_NoMemory();
        }
        buffer->bytes = larger;
        buffer->size = size * 2 + 1;
    }
    const char *end = text + size, *stop;
    for (const char *at = text; at < end; at++) {
        if (is(*at, ODD)) {
            return PyUnicode_FromFormat("\2%U", line);
        }
    }
    const char *opcode = find_opcode(text, end, &stop);
    char *out = copy_numberless(text, opcode, '\n', buffer->bytes);
    memcpy(out, opcode, (size_t)(stop - opcode));
    out = copy_numberless(stop, end, stop > text ? stop[-1] : '\n', out + (stop - opcode));
    return PyUnicode_FromStringAndSize(buffer->bytes, out - buffer->bytes);
}

/* Appends a record for the lines up to `stop`. */
static int
fill(PyObject *records, PyObject *record, Py_ssize_t stop)
{
    do {
        if (PyList_Append(records, record) < 0) {
            return -1;
        }
    } while (PyList_Size(records) < stop);
    return 0;
}

/* Has a line read that is not known, and appends its record. */
static int
read_new(PyObject *records, PyObject *read, PyObject *key)
{
    PyObject *result = PyObject_CallFunction(read, "nO", PyList_Size(records), key);
    if (result == NULL) {
        return -1;
    }
    PyObject *record;
    Py_ssize_t stop;
    int status = -1;
    if (PyArg_ParseTuple(result, "On:read", &record, &stop)) {
        status = fill(records, record, stop);
    }
    Py_DECREF(result);
    return status;
}

PyDoc_STRVAR(scan_doc,
"scan(lines, known, read)\n--\n\n"
"The record of each line: what `known` has for its key, or what `read(number, key)` makes of it,\n"
"which returns the record and the number of the line behind it.");

static PyObject *
scan(PyObject *module, PyObject *args)
{
    PyObject *lines, *known, *read;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O:scan", &PyList_Type, &lines, &PyDict_Type, &known, &read)) {
        return NULL;
    }
    PyObject *records = PyList_New(0);
    Buffer buffer = {NULL, 0};
    int status = records == NULL ? -1 : 0;
    while (status == 0 && PyList_Size(records) < PyList_Size(lines)) {
        PyObject *key = key_of(PyList_GetItem(lines, PyList_Size(records)), &buffer);
        PyObject *found = key == NULL ? NULL : PyDict_GetItemWithError(known, key);
        if (found != NULL) {
            status = PyList_Append(records, found);
        }
        else {
            status = PyErr_Occurred() ? -1 : read_new(records, read, key);
        }
        Py_XDECREF(key);
    }
    PyMem_Free(buffer.bytes);
    if (status < 0) {
        Py_CLEAR(records);
    }
    return records;
}

/* A range of registers: `%r<count>`. */
typedef struct {
    const char *prefix;
    Py_ssize_t size;
    unsigned long long count;
} Range;

enum { MOST_RANGES = 256 };

/* Whether a line has a register whose number is not below the count of its range. */
static int
line_overflows(const char *at, const char *end, const Range *ranges, Py_ssize_t n_ranges)
{
    while ((at = memchr(at, '%', (size_t)(end - at))) != NULL) {
        const char *prefix = at++;
        while (at < end && is(*at, REGISTER)) {
            at++;
        }
        const char *digits = at;
        unsigned long long number = 0;
        int is_large = 0;
        while (at < end && is(*at, DIGIT)) {
            is_large |= number > 100000000000000000ULL;
            number = number * 10 + (unsigned long long)(*at++ - '0');
        }
        if (digits == at || digits == prefix + 1 || (at < end && (is(*at, WORD) || *at == '$'))) {
            continue;
        }
        for (Py_ssize_t i = 0; i < n_ranges; i++) {
            if (ranges[i].size == digits - prefix
                && memcmp(ranges[i].prefix, prefix, (size_t)ranges[i].size) == 0
                && (is_large || number >= ranges[i].count)) {
                return 1;
            }
        }
    }
    return 0;
}

PyDoc_STRVAR(may_overflow_doc,
"may_overflow(lines, ranges)\n--\n\n"
"Whether a line may have a register behind the end of its range.\n\n"
"`ranges`: pairs of what stands before the number, without digits, and the count.");

static PyObject *
may_overflow(PyObject *module, PyObject *args)
{
    PyObject *lines, *pairs;
    Range ranges[MOST_RANGES];
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!:may_overflow", &PyList_Type, &lines, &PyTuple_Type, &pairs)) {
        return NULL;
    }
    Py_ssize_t n_ranges = PyTuple_Size(pairs);
    if (n_ranges > MOST_RANGES) {
        Py_RETURN_TRUE;
    }
    for (Py_ssize_t i = 0; i < n_ranges; i++) {
        PyObject *pair = PyTuple_GetItem(pairs, i), *prefix, *count;
        if (!PyArg_ParseTuple(pair, "UO!", &prefix, &PyLong_Type, &count)) {
            return NULL;
        }
        ranges[i].prefix = PyUnicode_AsUTF8AndSize(prefix, &ranges[i].size);
        if (ranges[i].prefix != NULL) {
            ranges[i].count = PyLong_AsUnsignedLongLong(count);
        }
        if (PyErr_Occurred()) { /* half of a surrogate pair, or a count out of bounds */
            PyErr_Clear();
            Py_RETURN_TRUE;
        }
    }
    Py_ssize_t n_lines = PyList_Size(lines);
    for (Py_ssize_t row = 0; row < n_lines; row++) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(lines, row), &size);
        if (text == NULL) {
            PyErr_Clear();
            Py_RETURN_TRUE;
        }
        if (line_overflows(text, text + size, ranges, n_ranges)) {
            Py_RETURN_TRUE;
        }
    }
    Py_RETURN_FALSE;
}

static PyMethodDef methods[] = {
    {"scan", scan, METH_VARARGS, scan_doc},
    {"may_overflow", may_overflow, METH_VARARGS, may_overflow_doc},
    {NULL, NULL, 0, NULL},
};

/* The build gives the beginning of the hash of this file, so that `scanner.py` knows an old one. */
#ifndef SCANNER_SOURCE
#define SCANNER_SOURCE
#endif
#define QUOTE(word) #word
#define QUOTED(word) QUOTE(word)

static int
prepare(PyObject *module)
{
    classify();
    return PyModule_AddStringConstant(module, "source", QUOTED(SCANNER_SOURCE));
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)prepare}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_scanner",
    .m_doc = "The inner loops of reading PTX.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__scanner(void)
{
    return PyModuleDef_Init(&definition);
}
