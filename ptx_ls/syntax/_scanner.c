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
            | (is_hex ? HEX : 0) | (c == ' ' || c == '\t' ? BLANK : 0) | (c < 8 || c > 127 ? ODD : 0)
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
    Py_ssize_t size, used;
} Buffer;

/* Makes room for more bytes. */
static int
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

/* Replaces the content of a buffer by the key of a line. */
static int
write_key(Buffer *buffer, const char *text, const char *end)
{
    Py_ssize_t size = end - text;
    int is_odd = 0;
    for (const char *at = text; at < end; at++) {
        is_odd |= is(*at, ODD);
    }
    buffer->used = 0;
    if (reserve(buffer, size + 1) < 0) {
        return -1;
    }
    char *out = buffer->bytes;
    if (is_odd) {
        *out = '\2';
        memcpy(out + 1, text, (size_t)size);
        buffer->used = size + 1;
        return 0;
    }
    const char *stop, *opcode = find_opcode(text, end, &stop);
    out = copy_numberless(text, opcode, '\n', out);
    memcpy(out, opcode, (size_t)(stop - opcode));
    out = copy_numberless(stop, end, stop > text ? stop[-1] : '\n', out + (stop - opcode));
    buffer->used = out - buffer->bytes;
    return 0;
}

/* A key and the record of all lines that have it. */
typedef struct {
    char *key; /* NULL: the entry is free */
    Py_ssize_t size;
    unsigned long long hash;
    PyObject *record;
} Entry;

/* The known lines: a hash table with open addressing. */
typedef struct {
    PyObject_HEAD
    Entry *entries;
    size_t n_entries; /* a power of two, or 0 */
    Py_ssize_t n_used;
} Lines;

/* Places where a key may be. A key that finds none of them free is not kept, so no choice of lines
   makes searches slow. */
enum { MOST_PROBES = 32, FEWEST_ENTRIES = 1024 };

static unsigned long long
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

/* The entry of a key, or a free one for it; NULL if there is neither. */
static Entry *
entry_of(const Lines *lines, const char *key, Py_ssize_t size, unsigned long long hash)
{
    for (size_t probe = 0; lines->n_entries && probe < MOST_PROBES; probe++) {
        Entry *entry = &lines->entries[(hash + probe) & (lines->n_entries - 1)];
        if (entry->key == NULL
            || (entry->hash == hash && entry->size == size
                && memcmp(entry->key, key, (size_t)size) == 0)) {
            return entry;
        }
    }
    return NULL;
}

/* Makes room for one more entry. */
static int
grow(Lines *lines)
{
    if ((size_t)lines->n_used * 2 < lines->n_entries) {
        return 0;
    }
    Lines larger = *lines;
    larger.n_entries = lines->n_entries ? lines->n_entries * 2 : FEWEST_ENTRIES;
    larger.entries = PyMem_Calloc(larger.n_entries, sizeof(Entry));
    if (larger.entries == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < lines->n_entries; i++) {
        Entry *old = &lines->entries[i], *new = NULL;
        if (old->key == NULL) {
            continue;
        }
        new = entry_of(&larger, old->key, old->size, old->hash);
        if (new != NULL) {
            *new = *old;
        }
        else {
            PyMem_Free(old->key);
            Py_DECREF(old->record);
            larger.n_used--;
        }
    }
    PyMem_Free(lines->entries);
    lines->entries = larger.entries;
    lines->n_entries = larger.n_entries;
    lines->n_used = larger.n_used;
    return 0;
}

/* Keeps the record of the lines with a key. */
static int
learn(Lines *lines, const Buffer *key, PyObject *record)
{
    if (grow(lines) < 0) {
        return -1;
    }
    unsigned long long hash = hash_of(key->bytes, key->used);
    Entry *entry = entry_of(lines, key->bytes, key->used, hash);
    if (entry == NULL || entry->key != NULL) {
        return 0;
    }
    char *copy = PyMem_Malloc((size_t)key->used + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, key->bytes, (size_t)key->used);
    *entry = (Entry){copy, key->used, hash, Py_NewRef(record)};
    lines->n_used++;
    return 0;
}

/* A text in UTF-8, and the offset of each line in characters. */
typedef struct {
    const char *at, *end;
    const long long *starts;
    Py_ssize_t n_lines;
    int is_ascii;
} Source;

/* Passes over some characters of a source, at most to its end. */
static void
pass_over(Source *source, long long count)
{
    const char *at = source->at, *end = source->end;
    if (source->is_ascii && count > 0) {
        at = count < end - at ? at + count : end;
    }
    for (; !source->is_ascii && at < end && count > 0; count--) {
        do {
            at++;
        } while (at < end && ((unsigned char)*at & 0xC0) == 0x80);
    }
    source->at = at;
}

/* Passes over a line, and returns where it begins. */
static const char *
take_line(Source *source, Py_ssize_t row)
{
    const char *line = source->at;
    const unsigned long long stop = (unsigned long long)source->starts[row + 1];
    pass_over(source, (long long)(stop - (unsigned long long)source->starts[row]));
    return line;
}

/* Has a line read that is not known; writes its record as that of all lines up to the end of its
   run, and passes over the latter. Returns the next line, or -1. */
static Py_ssize_t
read_new(Lines *lines, PyObject *read, PyObject *records, Source *source, Py_ssize_t row,
         const Buffer *key)
{
    PyObject *result = PyObject_CallFunction(read, "n", row);
    if (result == NULL) {
        return -1;
    }
    PyObject *record;
    Py_ssize_t stop, next = -1;
    int is_shared;
    if (PyArg_ParseTuple(result, "Onp:read", &record, &stop, &is_shared)
        && (!is_shared || learn(lines, key, record) == 0)) {
        next = row;
        do {
            if (next > row) {
                take_line(source, next);
            }
            if (PyList_SetItem(records, next++, Py_NewRef(record)) < 0) {
                next = -1;
                break;
            }
        } while (next < stop && next < source->n_lines);
    }
    Py_DECREF(result);
    return next;
}

/* Writes the record of each line. */
static int
scan_lines(Lines *lines, Source *source, PyObject *records, PyObject *read, Buffer *key)
{
    Py_ssize_t row = 0;
    while (row < source->n_lines) {
        const char *line = take_line(source, row);
        if (write_key(key, line, source->at) < 0) {
            return -1;
        }
        Entry *entry = entry_of(lines, key->bytes, key->used, hash_of(key->bytes, key->used));
        if (entry == NULL || entry->key == NULL) {
            row = read_new(lines, read, records, source, row, key);
            if (row < 0) {
                return -1;
            }
        }
        else if (PyList_SetItem(records, row++, Py_NewRef(entry->record)) < 0) {
            return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(scan_doc,
"scan(text, starts, read)\n--\n\n"
"The record of each line of a text: the one that is kept for its key, or what `read(number)`\n"
"returns: a record, the number of the line behind it, and whether to keep the record.\n\n"
"`starts`: 64-bit offsets of all lines, and of the end of the last one.");

static PyObject *
scan(PyObject *self, PyObject *args)
{
    PyObject *text, *starts, *read, *encoded = NULL, *records = NULL;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "UOO:scan", &text, &starts, &read)
        || PyObject_GetBuffer(starts, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL) { /* half of a surrogate pair */
        PyErr_Clear();
        encoded = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
        if (encoded == NULL || PyBytes_AsStringAndSize(encoded, (char **)&bytes, &size) < 0) {
            goto end;
        }
    }
    Source source = {bytes, bytes + size, view.buf, view.len / (Py_ssize_t)sizeof(long long) - 1,
                     PyUnicode_GetLength(text) == size};
    if (source.n_lines < 0) {
        source.n_lines = 0;
    }
    else {
        pass_over(&source, source.starts[0]);
    }
    records = PyList_New(source.n_lines);
    Buffer key = {NULL, 0, 0};
    if (records != NULL && scan_lines((Lines *)self, &source, records, read, &key) < 0) {
        Py_CLEAR(records);
    }
    PyMem_Free(key.bytes);
end:
    Py_XDECREF(encoded);
    PyBuffer_Release(&view);
    return records;
}

static Py_ssize_t
count_lines(PyObject *self)
{
    return ((Lines *)self)->n_used;
}

static void
free_lines(PyObject *self)
{
    Lines *lines = (Lines *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (size_t i = 0; i < lines->n_entries; i++) {
        if (lines->entries[i].key != NULL) {
            PyMem_Free(lines->entries[i].key);
            Py_DECREF(lines->entries[i].record);
        }
    }
    PyMem_Free(lines->entries);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static PyMethodDef lines_methods[] = {
    {"scan", scan, METH_VARARGS, scan_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot lines_slots[] = {
    {Py_tp_doc, "Records by the keys of their lines."},
    {Py_tp_methods, lines_methods},
    {Py_tp_dealloc, free_lines},
    {Py_mp_length, count_lines},
    {0, NULL},
};

static PyType_Spec lines_spec = {
    .name = "ptx_ls.syntax._scanner.KnownLines",
    .basicsize = sizeof(Lines),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = lines_slots,
};

PyDoc_STRVAR(line_starts_doc,
"line_starts(text)\n--\n\n"
"The offset of each line, and of the end of the last one, as 64-bit integers; None if the text\n"
"is not ASCII.");

static PyObject *
line_starts(PyObject *module, PyObject *text)
{
    (void)module;
    Py_ssize_t size, length = PyUnicode_GetLength(text);
    if (length < 0) {
        return NULL;
    }
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL) { /* half of a surrogate pair */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (length != size) {
        Py_RETURN_NONE;
    }
    const char *at = bytes, *end = bytes + size;
    int has_returns = memchr(bytes, '\r', (size_t)size) != NULL;
    Buffer buffer = {NULL, 0, 0};
    PyObject *found = NULL;
    while (reserve(&buffer, sizeof(long long)) == 0) {
        long long start = at - bytes;
        memcpy(buffer.bytes + buffer.used, &start, sizeof start);
        buffer.used += sizeof start;
        if (at == end) {
            found = PyBytes_FromStringAndSize(buffer.bytes, buffer.used);
            break;
        }
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed == NULL ? end : feed + 1;
        const char *first = has_returns ? memchr(at, '\r', (size_t)(stop - at)) : NULL;
        if (first != NULL && first + 1 != feed) {
            stop = first + 1;
        }
        at = stop;
    }
    PyMem_Free(buffer.bytes);
    return found;
}

/* Objects that a byte can number, and places in a table of these. */
enum { MOST_NUMBERED = 256, NUMBER_PLACES = 1024 };

PyDoc_STRVAR(number_doc,
"number(items)\n--\n\n"
"The distinct objects of a list in order, and for each item the number of its object as a byte;\n"
"None if there are more than 256.");

static PyObject *
number(PyObject *module, PyObject *items)
{
    PyObject *distinct[MOST_NUMBERED];
    short number_at[NUMBER_PLACES] = {0}; /* each is one more than the number */
    (void)module;
    Py_ssize_t n_items = PyList_Size(items), n_distinct = 0;
    PyObject *numbers = n_items < 0 ? NULL : PyBytes_FromStringAndSize(NULL, n_items);
    if (numbers == NULL) {
        return NULL;
    }
    char *out = PyBytes_AsString(numbers);
    for (Py_ssize_t row = 0; row < n_items; row++) {
        PyObject *item = PyList_GetItem(items, row);
        size_t place = (size_t)item / sizeof(Py_ssize_t) * 0x9E3779B1U % NUMBER_PLACES;
        while (number_at[place] && distinct[number_at[place] - 1] != item) {
            place = (place + 1) % NUMBER_PLACES;
        }
        if (!number_at[place]) {
            if (n_distinct == MOST_NUMBERED) {
                Py_DECREF(numbers);
                Py_RETURN_NONE;
            }
            distinct[n_distinct++] = item;
            number_at[place] = (short)n_distinct;
        }
        out[row] = (char)(number_at[place] - 1);
    }
    PyObject *found = PyTuple_New(n_distinct);
    for (Py_ssize_t i = 0; found != NULL && i < n_distinct; i++) {
        if (PyTuple_SetItem(found, i, Py_NewRef(distinct[i])) < 0) {
            Py_CLEAR(found);
        }
    }
    PyObject *result = found == NULL ? NULL : PyTuple_Pack(2, found, numbers);
    Py_XDECREF(found);
    Py_DECREF(numbers);
    return result;
}

/* A range of registers: `%r<count>`. */
typedef struct {
    const char *prefix;
    Py_ssize_t size;
    unsigned long long count;
} Range;

enum { MOST_RANGES = 256 };

/* Whether a text has a register whose number is not below the count of its range. */
static int
text_overflows(const char *at, const char *end, const Range *ranges, Py_ssize_t n_ranges)
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
"may_overflow(text, ranges)\n--\n\n"
"Whether a text may have a register behind the end of its range.\n\n"
"`ranges`: pairs of what stands before the number, without digits, and the count.");

static PyObject *
may_overflow(PyObject *module, PyObject *args)
{
    PyObject *text, *pairs;
    Range ranges[MOST_RANGES];
    (void)module;
    if (!PyArg_ParseTuple(args, "UO!:may_overflow", &text, &PyTuple_Type, &pairs)) {
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
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL) {
        PyErr_Clear();
        Py_RETURN_TRUE;
    }
    return PyBool_FromLong(text_overflows(bytes, bytes + size, ranges, n_ranges));
}

static PyMethodDef methods[] = {
    {"line_starts", line_starts, METH_O, line_starts_doc},
    {"number", number, METH_O, number_doc},
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
    PyObject *type = PyType_FromModuleAndSpec(module, &lines_spec, NULL);
    int status = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    if (status < 0) {
        return -1;
    }
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
