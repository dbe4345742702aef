/* The inner loops of reading, for machines that can compile them.

   `ptx_ls/syntax/scanner.py` says the same in Python and is used where this is not built; a test
   compares the two. Only Python's stable ABI is used, so that one build serves every version. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <string.h>

enum { WORD = 1, DIGIT = 2, HEX = 4, BLANK = 8, ODD = 16, OPCODE = 32, REGISTER = 64, MARK = 128 };

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
            | (c == '.' || c == ':' ? OPCODE : 0) | (is_letter || c == '$' ? REGISTER : 0)
            | (is_letter || c == '$' || c == '%' || c == '/' || c == '"' || c == ']' ? MARK : 0));
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

/* How an instruction uses a register: it reads it, writes it, replaces all of its value; and whether
   this is the first use in the instruction. */
enum { READS = 1, WRITES = 2, KILLS = 4, BEGINS = 8 };

/* What tells the registers of a function apart. */
typedef struct {
    const Range *ranges;
    const int *bases;
    Py_ssize_t n_ranges;
    PyObject *others;
} Registers;

/* The code of a register; -1 for another name, -2 after an exception. */
static int
code_of(const Registers *registers, const char *name, const char *end)
{
    const char *digits = end;
    int number = 0, scale = 1;
    while (digits > name && is(digits[-1], DIGIT) && end - digits < 9) {
        number += scale * (*--digits - '0');
        scale *= 10;
    }
    int is_number = digits < end && !(digits > name && is(digits[-1], DIGIT))
        && (*digits != '0' || end - digits == 1);
    for (Py_ssize_t i = 0; is_number && i < registers->n_ranges; i++) {
        const Range *range = registers->ranges + i;
        if (range->size == digits - name && memcmp(range->prefix, name, (size_t)range->size) == 0
            && (unsigned long long)number < range->count) {
            return registers->bases[i] + number;
        }
    }
    if (registers->others == NULL) {
        return -1;
    }
    PyObject *key = PyUnicode_FromStringAndSize(name, end - name);
    PyObject *code = key == NULL ? NULL : PyDict_GetItemWithError(registers->others, key);
    Py_XDECREF(key);
    if (code == NULL) {
        return PyErr_Occurred() ? -2 : -1;
    }
    int value = (int)PyLong_AsLong(code);
    return PyErr_Occurred() ? -2 : value;
}

/* The end of a name with its components that begins at a place; the place itself for none. */
static const char *
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

/* Where the events of lines are written. */
typedef struct {
    Buffer rows, codes, ways, odd;
} Events;

static int
put_int(Buffer *buffer, int value)
{
    if (reserve(buffer, sizeof value) < 0) {
        return -1;
    }
    memcpy(buffer->bytes + buffer->used, &value, sizeof value);
    buffer->used += sizeof value;
    return 0;
}

/* Writes the events of a line; returns 1 if the line has other names than expected. */
static int
events_of_line(Events *events, const Registers *registers, int row, const char *at,
               const char *end, const char *ways, Py_ssize_t n_names)
{
    Py_ssize_t n_found = 0;
    const char *line = at;
    int begins = BEGINS;
    size_t n_bytes = (size_t)n_names * sizeof(int);
    if (reserve(&events->rows, (Py_ssize_t)n_bytes) < 0
        || reserve(&events->codes, (Py_ssize_t)n_bytes) < 0
        || reserve(&events->ways, n_names) < 0) {
        return -1;
    }
    int *rows = (int *)(void *)(events->rows.bytes + events->rows.used);
    int *codes = (int *)(void *)(events->codes.bytes + events->codes.used);
    char *used = events->ways.bytes + events->ways.used;
    for (;;) {
        while (at < end && !is(*at, MARK)) {
            at++;
        }
        if (at == end) {
            break;
        }
        char before = at > line ? at[-1] : '\n';
        if (*at == '/' || *at == '"' || (*at == ']' && at + 1 < end && at[1] == '.')) {
            return 1;
        }
        if (!(*at == '%' || is(*at, REGISTER)) || is(before, WORD) || before == '$'
            || before == '.' || before == '%' || before == ':') {
            at++;
            continue;
        }
        if (*at == '_' && !(at + 1 < end && goes_on(at + 1, end))) {
            at++;
            continue;
        }
        const char *first_end = at, *stop = end_of_name(at, end, &first_end);
        if (stop == at) {
            at++;
            continue;
        }
        if (n_found == n_names) {
            return 1;
        }
        unsigned char way = (unsigned char)ways[n_found++];
        begins |= way & BEGINS;
        if (way & (READS | WRITES)) {
            int code = code_of(registers, at, first_end);
            if (code == -2) {
                return -1;
            }
            if (code >= 0) {
                *rows++ = row;
                *codes++ = code;
                *used++ = (char)(way | begins);
                begins = 0;
            }
        }
        at = stop;
    }
    if (n_found != n_names) {
        return 1;
    }
    events->rows.used = (char *)rows - events->rows.bytes;
    events->codes.used = (char *)codes - events->codes.bytes;
    events->ways.used = used - events->ways.bytes;
    return 0;
}

/* Writes the events of all lines. */
static int
events_of_lines(Events *events, const Registers *registers, int first, const char *text,
                const char *end, const Py_buffer *numbers, PyObject *ways)
{
    const unsigned char *number = numbers->buf;
    const char *at = text;
    for (Py_ssize_t row = 0; row < numbers->len; row++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed == NULL ? end : feed + 1;
        PyObject *own = PyTuple_GetItem(ways, number[row]);
        if (own == NULL) {
            return -1;
        }
        int is_odd = own == Py_True;
        if (PyBytes_Check(own)) {
            is_odd = events_of_line(events, registers, first + (int)row, at, stop, PyBytes_AsString(own),
                                    PyBytes_Size(own));
        }
        if (is_odd < 0 || (is_odd && put_int(&events->odd, (int)row) < 0)) {
            return -1;
        }
        at = stop;
    }
    return 0;
}

PyDoc_STRVAR(events_doc,
"events(text, numbers, ways, ranges, others, first)\n--\n\n"
"The uses of registers in the lines of a text, as bytes of 32-bit integers: the line of each, and\n"
"the code of its register; a byte for each that says how it is used; and the lines that need\n"
"another reader. None if the text is not ASCII, or has line ends other than \\n.\n\n"
"`numbers`: for each line, a byte with the number of its record. `ways`: for each record, a byte\n"
"for each name of it, None for no names, True if they need another reader. `ranges`: triples of\n"
"the name before a number, the count, and the code of number 0. `others`: the codes of other names.\n"
"`first`: the number of the first line, which is added to the lines of uses only.");

static PyObject *
find_events(PyObject *module, PyObject *args)
{
    PyObject *text, *ways, *triples, *others, *result = NULL;
    Py_buffer numbers;
    Range ranges[MOST_RANGES];
    int bases[MOST_RANGES], first;
    (void)module;
    if (!PyArg_ParseTuple(args, "Uy*O!O!O!i:events", &text, &numbers, &PyTuple_Type, &ways,
                          &PyTuple_Type, &triples, &PyDict_Type, &others, &first)) {
        return NULL;
    }
    Py_ssize_t n_ranges = PyTuple_Size(triples), size;
    Events events = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == NULL || PyUnicode_GetLength(text) != size || n_ranges > MOST_RANGES
        || memchr(bytes, '\r', (size_t)size) != NULL) {
        PyErr_Clear();
        result = Py_NewRef(Py_None);
        goto end;
    }
    for (Py_ssize_t i = 0; i < n_ranges; i++) {
        PyObject *prefix;
        if (!PyArg_ParseTuple(PyTuple_GetItem(triples, i), "UKi", &prefix, &ranges[i].count,
                              &bases[i])) {
            goto end;
        }
        ranges[i].prefix = PyUnicode_AsUTF8AndSize(prefix, &ranges[i].size);
        if (ranges[i].prefix == NULL) {
            goto end;
        }
    }
    Registers registers = {ranges, bases, n_ranges, PyDict_Size(others) ? others : NULL};
    if (events_of_lines(&events, &registers, first, bytes, bytes + size, &numbers, ways) == 0) {
        result = Py_BuildValue("(y#y#y#y#)", events.rows.bytes ? events.rows.bytes : "",
                               events.rows.used, events.codes.bytes ? events.codes.bytes : "",
                               events.codes.used, events.ways.bytes ? events.ways.bytes : "",
                               events.ways.used, events.odd.bytes ? events.odd.bytes : "",
                               events.odd.used);
    }
end:
    PyMem_Free(events.rows.bytes);
    PyMem_Free(events.codes.bytes);
    PyMem_Free(events.ways.bytes);
    PyMem_Free(events.odd.bytes);
    PyBuffer_Release(&numbers);
    return result;
}

/* Numbers of a line whose limits are compared. */
enum { MOST_NUMBERS = 64 };

/* The value of the number that begins at a place; the largest one for what is not a plain integer,
   or is too large. Writes where the number ends. */
static unsigned long long
value_of(const char *at, const char *end, const char **stop)
{
    unsigned long long base = 10, value = 0, most = ~0ULL;
    int is_whole = 1;
    if (*at == '0' && at + 1 < end) {
        base = at[1] == 'x' || at[1] == 'X' ? 16 : at[1] == 'b' || at[1] == 'B' ? 2 : 8;
        at += base == 8 ? 0 : 2;
        is_whole = at < end && is(*at, HEX);
    }
    for (; at < end && (is(*at, WORD) || *at == '.'); at++) {
        unsigned long long digit = is(*at, DIGIT) ? (unsigned long long)(*at - '0')
            : is(*at, HEX) ? (unsigned long long)((*at | 32) - 'a') + 10 : base;
        if (digit >= base) {
            is_whole = is_whole && *at == 'U' && !(at + 1 < end && is(at[1], WORD));
        }
        else if (value > (most - digit) / base) {
            is_whole = 0;
        }
        else {
            value = value * base + digit;
        }
    }
    *stop = at;
    return is_whole ? value : most;
}

/* Whether the numbers of a line are others than expected, or one of them is outside of its limits. */
static int
is_unusual(const char *at, const char *end, const unsigned long long *limits, Py_ssize_t n_numbers)
{
    Py_ssize_t n_found = 0;
    const char *line = at;
    while (at < end) {
        char before = at > line ? at[-1] : '\n';
        if (*at == '/' || *at == '"') {
            return 1;
        }
        int begins = is(*at, DIGIT) || (*at == '.' && at + 1 < end && is(at[1], DIGIT));
        if (!begins || is(before, WORD) || before == '$' || before == '.' || before == '%'
            || before == ':') {
            at++;
            continue;
        }
        if (n_found == n_numbers) {
            return 1;
        }
        unsigned long long value = value_of(at, end, &at);
        if (value < limits[2 * n_found] || value > limits[2 * n_found + 1]) {
            return 1;
        }
        n_found++;
    }
    return n_found != n_numbers;
}

PyDoc_STRVAR(unusual_doc,
"unusual(text, numbers, limits)\n--\n\n"
"The lines of a text with a number outside of its limits, as bytes of 32-bit integers. None if the\n"
"text is not ASCII, or has line ends other than \\n.\n\n"
"`numbers`: for each line, a byte with the number of its record. `limits`: for each record, bytes\n"
"with the lowest and the highest value of each number as 64-bit integers, None to pass over its\n"
"lines, True to return them all.");

static int
has_unusual(const char *at, const char *stop, PyObject *limits)
{
    Py_ssize_t n_numbers = PyBytes_Size(limits) / (2 * (Py_ssize_t)sizeof(unsigned long long));
    unsigned long long known[2 * MOST_NUMBERS];
    if (n_numbers > MOST_NUMBERS) {
        return 1;
    }
    memcpy(known, PyBytes_AsString(limits), (size_t)n_numbers * 2 * sizeof known[0]);
    return is_unusual(at, stop, known, n_numbers);
}

/* Returns the lines that a check chooses, given what it needs of their records. `format` is for the
   arguments: the text, the number of the record of each line, and for each record bytes for the
   check, None to pass over its lines, or True to return them all. */
static PyObject *
find_rows(PyObject *args, const char *format,
          int (*is_chosen)(const char *at, const char *stop, PyObject *known))
{
    PyObject *text, *known, *result = NULL;
    Py_buffer numbers;
    if (!PyArg_ParseTuple(args, format, &text, &numbers, &PyTuple_Type, &known)) {
        return NULL;
    }
    Py_ssize_t size;
    Buffer rows = {NULL, 0, 0};
    const char *at = PyUnicode_AsUTF8AndSize(text, &size);
    if (at == NULL || PyUnicode_GetLength(text) != size
        || memchr(at, '\r', (size_t)size) != NULL) {
        PyErr_Clear();
        result = Py_NewRef(Py_None);
        goto end;
    }
    const char *end = at + size;
    for (Py_ssize_t row = 0; row < numbers.len; row++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed == NULL ? end : feed + 1;
        PyObject *own = PyTuple_GetItem(known, ((const unsigned char *)numbers.buf)[row]);
        if (own == NULL) {
            goto end;
        }
        int is_found = own == Py_True || (PyBytes_Check(own) && is_chosen(at, stop, own));
        if (is_found && put_int(&rows, (int)row) < 0) {
            goto end;
        }
        at = stop;
    }
    result = PyBytes_FromStringAndSize(rows.bytes ? rows.bytes : "", rows.used);
end:
    PyMem_Free(rows.bytes);
    PyBuffer_Release(&numbers);
    return result;
}

static PyObject *
find_unusual(PyObject *module, PyObject *args)
{
    (void)module;
    return find_rows(args, "Uy*O!:unusual", has_unusual);
}

/* Names of one line that have to differ. */
enum { MOST_NAMES = 512 };

/* Whether a line has other names than expected, or a name twice in one group. */
static int
has_repeat(const char *at, const char *end, const unsigned char *groups, Py_ssize_t n_names)
{
    const char *starts[MOST_NAMES], *stops[MOST_NAMES], *line = at;
    Py_ssize_t n_found = 0;
    while (at < end) {
        char before = at > line ? at[-1] : '\n';
        if (*at == '/' || *at == '"' || (*at == ']' && at + 1 < end && at[1] == '.')) {
            return 1;
        }
        const char *first_end = at, *stop = at;
        int begins = (*at == '%' || is(*at, REGISTER))
            && !(is(before, WORD) || before == '$' || before == '.' || before == '%'
                 || before == ':')
            && !(*at == '_' && !(at + 1 < end && goes_on(at + 1, end)));
        if (begins) {
            stop = end_of_name(at, end, &first_end);
        }
        if (stop == at) {
            at++;
            continue;
        }
        if (n_found == n_names) {
            return 1;
        }
        starts[n_found] = at;
        stops[n_found] = stop;
        for (Py_ssize_t i = 0; groups[n_found] && i < n_found; i++) {
            if (groups[i] == groups[n_found] && stops[i] - starts[i] == stop - at
                && memcmp(starts[i], at, (size_t)(stop - at)) == 0) {
                return 1;
            }
        }
        n_found++;
        at = stop;
    }
    return n_found != n_names;
}

PyDoc_STRVAR(repeats_doc,
"repeats(text, numbers, groups)\n--\n\n"
"The lines of a text that have a name twice in one group, as bytes of 32-bit integers. None if the\n"
"text is not ASCII, or has line ends other than \\n.\n\n"
"`numbers`: for each line, a byte with the number of its record. `groups`: for each record, a byte\n"
"for each name with its group, 0 for none; None to pass over its lines, True to return them all.");

static int
is_repeating(const char *at, const char *stop, PyObject *groups)
{
    Py_ssize_t n_names = PyBytes_Size(groups);
    return n_names > MOST_NAMES
        || has_repeat(at, stop, (const unsigned char *)PyBytes_AsString(groups), n_names);
}

static PyObject *
find_repeats(PyObject *module, PyObject *args)
{
    (void)module;
    return find_rows(args, "Uy*O!:repeats", is_repeating);
}

PyDoc_STRVAR(group_doc,
"group(codes, n_codes)\n--\n\n"
"Groups uses by their registers. Returns, as bytes of 32-bit integers, where the uses of each\n"
"register begin among the numbers of all uses, with the count of these, and these numbers.\n\n"
"`codes`: the register of each use, as a 32-bit integer below `n_codes`.");

static PyObject *
group_uses(PyObject *module, PyObject *args)
{
    Py_buffer view;
    Py_ssize_t n_codes;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*n:group", &view, &n_codes)) {
        return NULL;
    }
    const int *codes = view.buf;
    Py_ssize_t n_uses = view.len / (Py_ssize_t)sizeof(int);
    int *at = PyMem_Calloc((size_t)n_codes + 2, sizeof(int));
    int *order = PyMem_Calloc((size_t)n_uses + 1, sizeof(int));
    PyObject *result = NULL;
    if (at == NULL || order == NULL) {
        PyErr_NoMemory();
    }
    else {
        for (Py_ssize_t use = 0; use < n_uses; use++) { /* counts each one place further */
            at[codes[use] + 2]++;
        }
        for (Py_ssize_t code = 2; code < n_codes + 2; code++) {
            at[code] += at[code - 1];
        }
        for (Py_ssize_t use = 0; use < n_uses; use++) {
            order[at[codes[use] + 1]++] = (int)use;
        }
        result = Py_BuildValue("(y#y#)", (char *)at, (n_codes + 1) * (Py_ssize_t)sizeof(int),
                               (char *)order, view.len);
    }
    PyMem_Free(at);
    PyMem_Free(order);
    PyBuffer_Release(&view);
    return result;
}

/* Steps that the walks of a function may take together; then they are assumed to find something. */
enum { MOST_STEPS = 20000000 };

/* The uses of registers in a function by blocks, its flow graph, and space to work in. */
typedef struct {
    const int *codes;
    const unsigned char *ways;
    Py_ssize_t n_events, n_codes, n_blocks;
    const int *firsts;               /* the first event of each block, and the number of all */
    const int *after_at, *after;     /* the successors of block i: after[after_at[i]...] */
    int *before_at, *before;         /* its predecessors */
    int *head, *next;                /* the first event of each code, and of its next one */
    int *block_of, *statement_of;    /* of each event */
    int *killed, *live, *stack;      /* of each block: the last code of which this is true */
    int *written, *open, *set;       /* the same: it is written, may be unset or set before */
    int *walked;                     /* of each block: the last walks that passed it */
    int n_walks;
    long long n_steps;               /* of walks that are left */
    int *only;                       /* of each code: its only definition */
    Buffer unset, never, dead;
} Trace;

/* A read of the value that a register has at the start of a block. */
typedef struct {
    int event, block;
    int may_be_set; /* in the block, under a guard */
} Exposed;

static void
link_blocks(Trace *trace)
{
    for (Py_ssize_t i = 0; i < trace->after_at[trace->n_blocks]; i++) {
        trace->before_at[trace->after[i] + 1]++;
    }
    for (Py_ssize_t i = 0; i < trace->n_blocks; i++) {
        trace->before_at[i + 1] += trace->before_at[i];
        trace->stack[i] = trace->before_at[i];
        trace->killed[i] = trace->live[i] = trace->open[i] = -1;
        trace->set[i] = trace->written[i] = -1;
    }
    for (Py_ssize_t i = 0; i < trace->n_blocks; i++) {
        for (int at = trace->after_at[i]; at < trace->after_at[i + 1]; at++) {
            trace->before[trace->stack[trace->after[at]]++] = (int)i;
        }
    }
}

static void
link_events(Trace *trace)
{
    int statement = 0;
    for (Py_ssize_t i = 0; i < trace->n_events; i++) {
        statement += (trace->ways[i] & BEGINS) != 0;
        trace->statement_of[i] = statement;
        trace->block_of[i] = -1;
    }
    for (Py_ssize_t block = 0; block < trace->n_blocks; block++) {
        for (int event = trace->firsts[block]; event < trace->firsts[block + 1]; event++) {
            trace->block_of[event] = (int)block;
        }
    }
    for (Py_ssize_t i = 0; i < trace->n_codes; i++) {
        trace->head[i] = trace->only[i] = -1;
    }
    for (Py_ssize_t i = trace->n_events - 1; i >= 0; i--) {
        if (trace->block_of[i] >= 0) {
            trace->next[i] = trace->head[trace->codes[i]];
            trace->head[trace->codes[i]] = (int)i;
        }
    }
}

/* Follows paths back from a block at whose start a register is live, to what defines it. Returns
   whether one comes from the entry. */
static int
trace_back(Trace *trace, int code, int block)
{
    int is_open = 0, depth = 0;
    trace->stack[depth++] = block;
    trace->live[block] = code;
    while (depth) {
        block = trace->stack[--depth];
        is_open |= block == 0;
        for (int at = trace->before_at[block]; at < trace->before_at[block + 1]; at++) {
            int before = trace->before[at];
            if (trace->killed[before] != code && trace->live[before] != code) {
                trace->live[before] = code;
                trace->stack[depth++] = before;
            }
        }
    }
    return is_open;
}

/* Whether a register is live at the end of a block. */
static int
is_live_after(const Trace *trace, int code, int block)
{
    for (int at = trace->after_at[block]; at < trace->after_at[block + 1]; at++) {
        if (trace->live[trace->after[at]] == code) {
            return 1;
        }
    }
    return 0;
}

/* Marks the successors of a block where a register is live, and adds them to the stack. */
static int
step_on(Trace *trace, int code, int *marks, int block, int depth)
{
    for (int at = trace->after_at[block]; at < trace->after_at[block + 1]; at++) {
        int after = trace->after[at];
        if (trace->live[after] == code && marks[after] != code) {
            marks[after] = code;
            trace->stack[depth++] = after;
        }
    }
    return depth;
}

/* Marks the blocks where a register is live and to which a path leads from those in the stack,
   which no other block on the path cuts off by writing all of it. */
static void
trace_on(Trace *trace, int code, int *marks, int depth)
{
    while (depth) {
        int block = trace->stack[--depth];
        if (trace->killed[block] != code) {
            depth = step_on(trace, code, marks, block, depth);
        }
    }
}

/* Whether a block may find a register set when it runs for the first time: whether a path from the
   entry leads to it through another block that writes the register. */
static int
may_be_set_first(Trace *trace, int code, int block)
{
    int depth = 0, walk = 2 * ++trace->n_walks;
    if (block) {
        trace->stack[depth++] = 0;
        trace->walked[0] = walk;
    }
    while (depth) {
        int at_block = trace->stack[--depth];
        int passed = trace->walked[at_block] - walk || trace->written[at_block] == code;
        for (int at = trace->after_at[at_block]; at < trace->after_at[at_block + 1]; at++) {
            int after = trace->after[at];
            if (after == block) {
                if (passed) {
                    return 1;
                }
            }
            else if (trace->walked[after] < walk + passed) {
                trace->walked[after] = walk + passed;
                trace->stack[depth++] = after;
            }
        }
        if (--trace->n_steps < 0) {
            return 1;
        }
    }
    return 0;
}

/* Writes the reads that a path from the entry reaches before a definition, and those of them that
   find nothing when they run for the first time. */
static int
put_unset(Trace *trace, int code, const Exposed *exposed, int n_exposed)
{
    int depth = 0;
    trace->stack[0] = 0;
    trace->open[0] = code;
    trace_on(trace, code, trace->open, 1);
    for (int event = trace->head[code]; event >= 0; event = trace->next[event]) {
        if (trace->ways[event] & WRITES) {
            depth = step_on(trace, code, trace->set, trace->block_of[event], depth);
        }
    }
    trace_on(trace, code, trace->set, depth);
    for (int i = 0; i < n_exposed; i++) {
        const Exposed *each = exposed + i;
        if (trace->open[each->block] != code) {
            continue;
        }
        int may_be_set = each->may_be_set
            || (trace->set[each->block] == code && may_be_set_first(trace, code, each->block));
        if (put_int(&trace->unset, each->event) < 0
            || (!may_be_set && put_int(&trace->never, each->event) < 0)) {
            return -1;
        }
    }
    return 0;
}

/* The events of one register in one block: writes its dead definitions, and returns the event
   after them. `exposed->event` is -1 if there is none. */
static int
trace_block(Trace *trace, int code, int event, Exposed *exposed, int *waiting)
{
    int block = trace->block_of[event], is_killed = 0, is_written = 0;
    exposed->event = *waiting = -1;
    exposed->block = block;
    while (event >= 0 && trace->block_of[event] == block) {
        int statement = trace->statement_of[event], way = 0, written = event, first = event;
        for (; event >= 0 && trace->statement_of[event] == statement; event = trace->next[event]) {
            way |= trace->ways[event];
            written = trace->ways[event] & WRITES ? event : written;
            first = trace->ways[event] & READS && !(trace->ways[first] & READS) ? event : first;
        }
        if (way & READS) {
            if (exposed->event < 0 && !is_killed) {
                exposed->event = first;
                exposed->may_be_set = is_written;
            }
            *waiting = -1;
        }
        if (way & WRITES) {
            if (*waiting >= 0 && way & KILLS && put_int(&trace->dead, *waiting) < 0) {
                return -2;
            }
            is_written = 1;
            trace->written[block] = code;
            is_killed |= (way & KILLS) != 0;
            *waiting = written;
            trace->only[code] = trace->only[code] == -1 ? written : -2;
        }
    }
    if (is_killed) {
        trace->killed[block] = code;
    }
    return event;
}

/* Traces one register through all blocks. `exposed` and `waiting` have room for all blocks. */
static int
trace_code(Trace *trace, int code, Exposed *exposed, int *waiting)
{
    int n_exposed = 0, n_waiting = 0, is_open = 0, event = trace->head[code];
    while (event >= 0) {
        event = trace_block(trace, code, event, exposed + n_exposed, waiting + n_waiting);
        if (event == -2) {
            return -1;
        }
        n_exposed += exposed[n_exposed].event >= 0;
        n_waiting += waiting[n_waiting] >= 0;
    }
    for (int i = 0; i < n_exposed; i++) {
        if (trace->live[exposed[i].block] != code) {
            is_open |= trace_back(trace, code, exposed[i].block);
        }
    }
    if (is_open && put_unset(trace, code, exposed, n_exposed) < 0) {
        return -1;
    }
    for (int i = 0; i < n_waiting; i++) {
        if (!is_live_after(trace, code, trace->block_of[waiting[i]])
            && put_int(&trace->dead, waiting[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(trace_doc,
"trace(codes, ways, firsts, after_at, after, n_codes)\n--\n\n"
"Follows the registers of a function through its flow graph. Returns, as bytes of 32-bit integers,\n"
"the first reads in blocks that a path from the entry reaches before it writes the register; those\n"
"of them that find no value when they first run; the events whose values nothing reads; and for each code its\n"
"only definition, -1 for none, -2 for several.\n\n"
"`codes` and `ways`: as `events` returns them, in the order of the text. `firsts`: the first event\n"
"of each block, and the number of events. `after_at` and `after`: the successors of each block.");

static PyObject *
trace_registers(PyObject *module, PyObject *args)
{
    Py_buffer codes, ways, firsts, after_at, after;
    Py_ssize_t n_codes;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*n:trace", &codes, &ways, &firsts, &after_at, &after,
                          &n_codes)) {
        return NULL;
    }
    Trace trace = {
        .codes = codes.buf,
        .ways = ways.buf,
        .n_events = ways.len,
        .n_codes = n_codes,
        .n_blocks = firsts.len / (Py_ssize_t)sizeof(int) - 1,
        .firsts = firsts.buf,
        .after_at = after_at.buf,
        .after = after.buf,
        .n_steps = MOST_STEPS,
    };
    Py_ssize_t n_edges = after.len / (Py_ssize_t)sizeof(int);
    size_t n_ints = (size_t)(2 * n_codes + 3 * trace.n_events + 9 * trace.n_blocks + n_edges + 2);
    int *space = PyMem_Calloc(n_ints, sizeof(int)), status = space == NULL ? -1 : 0;
    Exposed *exposed = PyMem_Calloc((size_t)trace.n_blocks + 1, sizeof(Exposed));
    PyObject *result = NULL;
    if (space != NULL && exposed != NULL) {
        trace.before_at = space;
        trace.before = trace.before_at + trace.n_blocks + 1;
        trace.head = trace.before + n_edges;
        trace.only = trace.head + n_codes;
        trace.next = trace.only + n_codes;
        trace.block_of = trace.next + trace.n_events;
        trace.statement_of = trace.block_of + trace.n_events;
        trace.killed = trace.statement_of + trace.n_events;
        trace.live = trace.killed + trace.n_blocks;
        trace.stack = trace.live + trace.n_blocks;
        trace.open = trace.stack + trace.n_blocks;
        trace.set = trace.open + trace.n_blocks;
        trace.written = trace.set + trace.n_blocks;
        trace.walked = trace.written + trace.n_blocks;
        int *waiting = trace.walked + trace.n_blocks;
        link_blocks(&trace);
        link_events(&trace);
        for (Py_ssize_t code = 0; code < n_codes && status == 0; code++) {
            status = trace_code(&trace, (int)code, exposed, waiting);
        }
        if (status == 0) {
            result = Py_BuildValue("(y#y#y#y#)", trace.unset.bytes ? trace.unset.bytes : "",
                                   trace.unset.used, trace.never.bytes ? trace.never.bytes : "",
                                   trace.never.used, trace.dead.bytes ? trace.dead.bytes : "",
                                   trace.dead.used, (char *)trace.only,
                                   n_codes * (Py_ssize_t)sizeof(int));
        }
    }
    else {
        PyErr_NoMemory();
    }
    PyMem_Free(space);
    PyMem_Free(exposed);
    PyMem_Free(trace.unset.bytes);
    PyMem_Free(trace.never.bytes);
    PyMem_Free(trace.dead.bytes);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&ways);
    PyBuffer_Release(&firsts);
    PyBuffer_Release(&after_at);
    PyBuffer_Release(&after);
    return result;
}

/* Lines by what they mean for control flow, as `control_kinds.py` numbers them. */
enum {
    SILENT, PLAIN, TAGGED, BRANCH, GUARDED_BRANCH, LEAVES, GUARDED_LEAVES, BODY, OPENS, CLOSES,
    DIRECTS, CALLS, UNUSUAL, SEVERAL_LINES = 32, WITH_INSTRUCTION = 64
};

/* A label, a branch, or what leaves a function or closes it. */
typedef struct {
    int row, kind, n_before; /* instructions on the lines before it */
    const char *name;
    Py_ssize_t size;
    int is_nested;           /* whether it is in a block in braces */
} Control;

/* The names of labels that branches lead to: a hash table with open addressing. */
typedef struct {
    const Control **entries;
    size_t n_entries; /* a power of two */
    int *blocks;      /* of each entry: the block that begins there, or -1 */
} Targets;

/* The name of a label at the start of a line; 0 if there is something else. */
static int
take_label(Control *control, const char *at, const char *end)
{
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    control->name = at;
    while (at < end && (is(*at, WORD) || *at == '$' || *at == '%')) {
        at++;
    }
    control->size = at - control->name;
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    return control->size && at < end && *at == ':';
}

/* The only name after an opcode, before a `;`; 0 if there is something else. */
static int
take_target(Control *control, const char *at, const char *end)
{
    const char *stop;
    find_opcode(at, end, &stop);
    at = stop;
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    control->name = at;
    while (at < end && (is(*at, WORD) || *at == '$' || *at == '%')) {
        at++;
    }
    control->size = at - control->name;
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    return control->size && at < end && *at == ';';
}

/* The entry of a name, or a free one for it. */
static size_t
place_of(const Targets *targets, const char *name, Py_ssize_t size)
{
    size_t place = hash_of(name, size) & (targets->n_entries - 1);
    while (targets->entries[place] != NULL
           && (targets->entries[place]->size != size
               || memcmp(targets->entries[place]->name, name, (size_t)size) != 0)) {
        place = (place + 1) & (targets->n_entries - 1);
    }
    return place;
}

/* Whether a directive may list labels, or be named by one. */
static int
may_be_named(const char *at, const char *end)
{
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    return end - at > 2 && (at[1] == 'b' || at[1] == 'c');
}

/* Whether a call is to one of some functions, and returns nothing; -1 if that is unclear. */
static int
never_returns(const char *at, const char *end, PyObject *names)
{
    const char *stop;
    if (!PySet_Size(names)) {
        return 0;
    }
    find_opcode(at, end, &stop);
    at = stop;
    while (at < end && (is(*at, BLANK) || *at == '\n')) {
        at++;
    }
    const char *name = at;
    while (at < end && (is(*at, WORD) || *at == '$' || *at == '%')) {
        at++;
    }
    if (at == name) {
        return at < end && *at == '(' ? 0 : -1;
    }
    PyObject *key = PyUnicode_FromStringAndSize(name, at - name);
    int found = key == NULL ? -1 : PySet_Contains(names, key);
    Py_XDECREF(key);
    return found ? -1 : 0; /* the flow of these is read otherwise */
}

/* The control lines of a function so far. */
typedef struct {
    Buffer controls;
    int row, n_plain, depth, is_begun, is_closed;
    PyObject *never;
} Body;

/* Adds a line; returns 1 if it has to be read otherwise, -1 after an exception. */
static int
add_line(Body *body, int kind, const char *at, const char *stop, const char *end)
{
    int is_kept = 0, has_instruction = (kind & WITH_INSTRUCTION) != 0;
    kind &= ~WITH_INSTRUCTION;
    if (kind == CLOSES) { /* the instruction is before the brace */
        body->n_plain += has_instruction;
        has_instruction = 0;
    }
    Control control = {body->row, kind, body->n_plain, at, 0, body->depth > 1};
    if (body->is_closed) { /* instructions that follow the body have a flow, too */
        return kind != DIRECTS && kind != CLOSES && kind != SILENT && kind != TAGGED;
    }
    switch (kind) {
    case BODY:
        if (body->is_begun) {
            return 1;
        }
        body->is_begun = body->depth = is_kept = 1;
        break;
    case OPENS:
        body->depth += body->is_begun;
        break;
    case CLOSES:
        if (body->is_begun && --body->depth == 0) {
            body->is_closed = is_kept = 1;
        }
        break;
    case TAGGED:
        if (body->is_begun && !take_label(&control, at, stop)) {
            return 1;
        }
        is_kept = body->is_begun;
        break;
    case BRANCH: case GUARDED_BRANCH:
        if (!take_target(&control, at, stop)) {
            return 1;
        }
        is_kept = body->is_begun;
        body->n_plain++;
        break;
    case LEAVES: case GUARDED_LEAVES:
        is_kept = body->is_begun;
        body->n_plain++;
        break;
    case DIRECTS:
        return may_be_named(at, stop);
    case CALLS:
        body->n_plain++;
        return never_returns(at, end, body->never) ? 1 : 0;
    case PLAIN:
        body->n_plain++;
        break;
    case UNUSUAL:
        return 1;
    }
    body->n_plain += has_instruction; /* beside a brace */
    if (!is_kept) {
        return 0;
    }
    if (reserve(&body->controls, sizeof control) < 0) {
        return -1;
    }
    memcpy(body->controls.bytes + body->controls.used, &control, sizeof control);
    body->controls.used += sizeof control;
    return 0;
}

/* Adds the lines of a part of a function. */
static int
add_lines(Body *body, PyObject *text, PyObject *numbers, PyObject *kinds)
{
    Py_ssize_t size, n_kinds;
    char *number, *kind_of;
    const char *at = PyUnicode_AsUTF8AndSize(text, &size);
    Py_ssize_t n_lines;
    if (at == NULL || !PyBytes_Check(numbers)) {
        PyErr_Clear();
        return 1;
    }
    if (PyBytes_AsStringAndSize(numbers, &number, &n_lines) < 0
        || PyBytes_AsStringAndSize(kinds, &kind_of, &n_kinds) < 0) {
        return -1;
    }
    if (PyUnicode_GetLength(text) != size || memchr(at, '\r', (size_t)size) != NULL) {
        return 1;
    }
    const char *end = at + size;
    int previous = -1;
    for (Py_ssize_t i = 0; i < n_lines; i++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed == NULL ? end : feed + 1;
        int own = (unsigned char)number[i];
        int kind = own < n_kinds ? (unsigned char)kind_of[own] : UNUSUAL;
        if (kind & SEVERAL_LINES && own == previous) {
            if ((kind & ~SEVERAL_LINES) == BODY) { /* the body begins after the last of its lines */
                Control *last = (Control *)(void *)(body->controls.bytes + body->controls.used) - 1;
                last->row = body->row;
            }
        }
        else {
            int status = add_line(body, kind & ~SEVERAL_LINES, at, stop, end);
            if (status) {
                return status;
            }
        }
        previous = own;
        body->row++;
        at = stop;
    }
    return 0;
}

/* The blocks so far; `left`: the row of the last branch until an instruction or a label follows. */
typedef struct {
    Buffer starts, edges;
    int n_blocks, left, n_left, goes_on, n_labelled;
} Blocks;

static int
begin_block(Blocks *blocks, int row, int goes_on)
{
    if (blocks->n_blocks && goes_on
        && (put_int(&blocks->edges, blocks->n_blocks - 1) < 0
            || put_int(&blocks->edges, blocks->n_blocks) < 0)) {
        return -1;
    }
    blocks->left = blocks->n_labelled = -1;
    blocks->n_blocks++;
    return put_int(&blocks->starts, row);
}

/* Begins a block after the last branch if there are instructions before another line. */
static int
resume_block(Blocks *blocks, const Control *control)
{
    if (blocks->left >= 0 && control->n_before > blocks->n_left) {
        return begin_block(blocks, blocks->left + 1, blocks->goes_on);
    }
    return 0;
}

/* Adds a control line; returns 1 for a label in a block in braces that may be a target. */
static int
add_control(Blocks *blocks, const Control *control, Targets *targets)
{
    size_t place;
    switch (control->kind) {
    case BODY:
        return begin_block(blocks, control->row + 1, 0);
    case TAGGED:
        place = place_of(targets, control->name, control->size);
        if (targets->entries[place] == NULL) { /* no branch leads there */
            return 0;
        }
        if (control->is_nested) { /* branches outside of its block do not lead there */
            return 1;
        }
        if (blocks->n_labelled < 0 || control->n_before > blocks->n_labelled) {
            if (resume_block(blocks, control) < 0
                || begin_block(blocks, control->row, blocks->left < 0 || blocks->goes_on) < 0) {
                return -1;
            }
        }
        if (targets->blocks[place] < 0) {
            targets->blocks[place] = blocks->n_blocks - 1;
        }
        blocks->n_labelled = control->n_before;
        return 0;
    case CLOSES:
        if (resume_block(blocks, control) < 0) {
            return -1;
        }
        if (blocks->left >= 0 && blocks->goes_on) {
            return begin_block(blocks, blocks->left + 1, 1);
        }
        return 0;
    default:
        if (blocks->left >= 0 && begin_block(blocks, blocks->left + 1, blocks->goes_on) < 0) {
            return -1;
        }
        blocks->n_labelled = -1;
        blocks->left = control->row;
        blocks->n_left = control->n_before + 1;
        blocks->goes_on = control->kind == GUARDED_BRANCH || control->kind == GUARDED_LEAVES;
        return 0;
    }
}

/* Writes which blocks a branch leads from and to, as a pair; its block is known only then. */
static int
add_branch(Blocks *blocks, Buffer *branches, const Control *control, const Targets *targets)
{
    if (control->kind != BRANCH && control->kind != GUARDED_BRANCH) {
        return 0;
    }
    size_t place = place_of(targets, control->name, control->size);
    return put_int(branches, blocks->n_blocks - 1) < 0 ? -1 : put_int(branches, (int)place);
}

/* Makes the blocks and the pairs of connected ones; returns 1 if they have to be read otherwise. */
static int
make_blocks(Blocks *blocks, const Buffer *controls)
{
    const Control *control = (const Control *)(const void *)controls->bytes;
    Py_ssize_t n_controls = controls->used / (Py_ssize_t)sizeof *control;
    Targets targets = {NULL, 16, NULL};
    Buffer branches = {NULL, 0, 0};
    int status = -1;
    while (targets.n_entries < (size_t)n_controls * 2) {
        targets.n_entries *= 2;
    }
    targets.entries = PyMem_Calloc(targets.n_entries, sizeof *targets.entries);
    targets.blocks = PyMem_Calloc(targets.n_entries, sizeof *targets.blocks);
    if (targets.entries == NULL || targets.blocks == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t i = 0; i < n_controls; i++) {
        if (control[i].kind == BRANCH || control[i].kind == GUARDED_BRANCH) {
            size_t place = place_of(&targets, control[i].name, control[i].size);
            targets.entries[place] = control + i;
            targets.blocks[place] = -1;
        }
    }
    status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < n_controls; i++) {
        status = add_control(blocks, control + i, &targets);
        if (status == 0) {
            status = add_branch(blocks, &branches, control + i, &targets);
        }
    }
    for (Py_ssize_t at = 0; status == 0 && at < branches.used; at += 2 * (Py_ssize_t)sizeof(int)) {
        const int *branch = (const int *)(const void *)(branches.bytes + at);
        if (targets.blocks[branch[1]] < 0) {
            status = 1;
        }
        else if (put_int(&blocks->edges, branch[0]) < 0
                 || put_int(&blocks->edges, targets.blocks[branch[1]]) < 0) {
            status = -1;
        }
    }
end:
    PyMem_Free(targets.entries);
    PyMem_Free(targets.blocks);
    PyMem_Free(branches.bytes);
    return status;
}

/* Groups the pairs of connected blocks by the first one; a pair that is there twice counts once. */
static void
group_edges(const Blocks *blocks, int *after_at, int *after)
{
    const int *edges = (const int *)(const void *)blocks->edges.bytes;
    Py_ssize_t n_edges = blocks->edges.used / (Py_ssize_t)sizeof(int) / 2;
    for (Py_ssize_t i = 0; i < n_edges; i++) {
        after_at[edges[2 * i] + 2]++;
    }
    for (int block = 1; block < blocks->n_blocks; block++) {
        after_at[block + 1] += after_at[block];
    }
    for (Py_ssize_t i = 0; i < n_edges; i++) {
        after[after_at[edges[2 * i] + 1]++] = edges[2 * i + 1];
    }
    int n_kept = 0, first = 0;
    for (int block = 0; block < blocks->n_blocks; block++) { /* at most two: it goes on, or branches */
        int stop = after_at[block + 1], start = n_kept;
        for (int at = first; at < stop; at++) {
            if (n_kept == start || after[n_kept - 1] != after[at]) {
                after[n_kept++] = after[at];
            }
        }
        first = stop;
        after_at[block + 1] = n_kept;
    }
}

/* The first use in each block, by the rows of all uses and of the starts of blocks. */
static int *
first_uses(const Blocks *blocks, const Py_buffer *rows)
{
    const int *starts = (const int *)(const void *)blocks->starts.bytes, *row = rows->buf;
    int n_uses = (int)(rows->len / (Py_ssize_t)sizeof(int)), use = 0;
    int *firsts = PyMem_Calloc((size_t)blocks->n_blocks + 1, sizeof(int));
    for (int block = 0; firsts != NULL && block < blocks->n_blocks; block++) {
        while (use < n_uses && row[use] < starts[block]) {
            use++;
        }
        firsts[block] = use;
    }
    if (firsts != NULL) {
        firsts[blocks->n_blocks] = n_uses;
    }
    return firsts;
}

PyDoc_STRVAR(blocks_doc,
"blocks(parts, rows, never_returning)\n--\n\n"
"The blocks of a function, as bytes of 32-bit integers: the first use in each, and the number of\n"
"uses; where the successors of each block begin, and their number; all successors; the line where\n"
"each block begins. None if the\n"
"function has lines that have to be read otherwise, or a branch to an unknown or nested label.\n\n"
"`parts`: triples of a text, for each line a byte with the number of its record, and for each record\n"
"a byte with its kind. `rows`: the line of each use.");

static PyObject *
find_blocks(PyObject *module, PyObject *args)
{
    PyObject *parts, *never, *result = NULL;
    Py_buffer rows;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!y*O:blocks", &PyTuple_Type, &parts, &rows, &never)) {
        return NULL;
    }
    Body body = {{NULL, 0, 0}, 0, 0, 0, 0, 0, never};
    Blocks blocks = {{NULL, 0, 0}, {NULL, 0, 0}, 0, -1, 0, 0, -1};
    int status = 0, *firsts = NULL, *after_at = NULL, *after = NULL;
    for (Py_ssize_t i = 0; status == 0 && i < PyTuple_Size(parts) && !body.is_closed; i++) {
        PyObject *text, *numbers, *kinds;
        status = -1;
        if (PyArg_ParseTuple(PyTuple_GetItem(parts, i), "UOS", &text, &numbers, &kinds)) {
            status = add_lines(&body, text, numbers, kinds);
        }
    }
    if (status == 0) {
        status = body.is_closed ? make_blocks(&blocks, &body.controls) : 1;
    }
    if (status == 0) {
        Py_ssize_t n_edges = blocks.edges.used / (Py_ssize_t)sizeof(int) / 2;
        firsts = first_uses(&blocks, &rows);
        after_at = PyMem_Calloc((size_t)blocks.n_blocks + 2, sizeof(int));
        after = PyMem_Calloc((size_t)n_edges + 1, sizeof(int));
        if (firsts == NULL || after_at == NULL || after == NULL) {
            PyErr_NoMemory();
        }
        else {
            Py_ssize_t n_starts = (blocks.n_blocks + 1) * (Py_ssize_t)sizeof(int);
            group_edges(&blocks, after_at, after);
            result = Py_BuildValue("(y#y#y#y#)", (char *)firsts, n_starts, (char *)after_at, n_starts,
                                   (char *)after,
                                   after_at[blocks.n_blocks] * (Py_ssize_t)sizeof(int),
                                   blocks.starts.bytes, blocks.starts.used);
        }
    }
    else if (status > 0) {
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(body.controls.bytes);
    PyMem_Free(blocks.starts.bytes);
    PyMem_Free(blocks.edges.bytes);
    PyMem_Free(firsts);
    PyMem_Free(after_at);
    PyMem_Free(after);
    PyBuffer_Release(&rows);
    return result;
}

/* The tree of dominators of some blocks; each array has an item for each block. */
typedef struct {
    int n_blocks, n_edges, n_found;
    int *after_at, *after;            /* the blocks that follow each one */
    int *before_at, *before;          /* those before it */
    int *order, *number;              /* the blocks in depth-first order, and the reverse */
    int *tree, *semi, *label, *linked, *path; /* by numbers in that order */
    int *dominator;
} Tree;

/* Groups the edges of a tree by one of their ends. */
static void
group_by(int n_blocks, int n_edges, const int *keys, const int *values, int *at, int *grouped)
{
    for (int i = 0; i < n_edges; i++) {
        at[keys[i] + 1]++;
    }
    for (int block = 0; block < n_blocks; block++) {
        at[block + 1] += at[block];
    }
    for (int i = n_edges - 1; i >= 0; i--) {
        grouped[--at[keys[i] + 1]] = values[i];
    }
    for (int block = 0; block < n_blocks; block++) { /* each is now the start of its own group */
        at[block] = at[block + 1];
    }
    at[n_blocks] = n_edges;
}

/* Numbers the blocks that the root reaches, depth first. */
static void
search_blocks(Tree *tree, int root)
{
    int *open = tree->path, *cursor = tree->linked, n_open = 0;
    for (int block = 0; block < tree->n_blocks; block++) {
        tree->number[block] = -1;
        cursor[block] = tree->after_at[block];
    }
    tree->tree[0] = tree->number[root] = 0;
    tree->order[0] = open[n_open++] = root;
    tree->n_found = 1;
    while (n_open) {
        int block = open[n_open - 1];
        if (cursor[block] == tree->after_at[block + 1]) {
            n_open--;
            continue;
        }
        int following = tree->after[cursor[block]++];
        if (tree->number[following] < 0) {
            tree->tree[tree->n_found] = tree->number[block];
            tree->number[following] = tree->n_found;
            tree->order[tree->n_found++] = open[n_open++] = following;
        }
    }
}

/* The number with the least semidominator on the path from the linked root. */
static int
best_on_path(Tree *tree, int number, int last)
{
    int n_path = 0, first = number;
    while (tree->linked[number] >= last) {
        tree->path[n_path++] = number;
        number = tree->linked[number];
    }
    for (int upper = number; n_path--; upper = tree->path[n_path]) {
        int lower = tree->path[n_path];
        tree->linked[lower] = tree->linked[upper];
        if (tree->semi[tree->label[upper]] < tree->semi[tree->label[lower]]) {
            tree->label[lower] = tree->label[upper];
        }
    }
    return tree->label[first];
}

/* Finds the immediate dominators, by semidominators and nearest common ancestors. */
static void
find_immediate(Tree *tree)
{
    for (int i = 0; i < tree->n_found; i++) {
        tree->semi[i] = tree->label[i] = i;
        tree->linked[i] = tree->dominator[i] = tree->tree[i];
    }
    for (int i = tree->n_found - 1; i > 0; i--) {
        int block = tree->order[i];
        for (int at = tree->before_at[block]; at < tree->before_at[block + 1]; at++) {
            int number = tree->number[tree->before[at]];
            if (number >= 0) {
                int semi = tree->semi[best_on_path(tree, number, i + 1)];
                tree->semi[i] = semi < tree->semi[i] ? semi : tree->semi[i];
            }
        }
    }
    for (int i = 1; i < tree->n_found; i++) {
        while (tree->dominator[i] > tree->semi[i]) {
            tree->dominator[i] = tree->dominator[tree->dominator[i]];
        }
    }
}

/* Writes the parent of each block, and the first and the last number in its subtree. */
static void
number_tree(Tree *tree, int *parent, int *first, int *last)
{
    int *size = tree->semi, *next = tree->label;
    for (int block = 0; block < tree->n_blocks; block++) {
        parent[block] = first[block] = last[block] = -1;
    }
    for (int i = 0; i < tree->n_found; i++) {
        size[i] = 1;
    }
    for (int i = tree->n_found - 1; i > 0; i--) {
        size[tree->dominator[i]] += size[i];
    }
    for (int i = 0; i < tree->n_found; i++) {
        int block = tree->order[i], start = 1;
        if (i) {
            parent[block] = tree->order[tree->dominator[i]];
            start = next[tree->dominator[i]];
            next[tree->dominator[i]] += size[i];
        }
        next[i] = start + 1;
        first[block] = start;
        last[block] = start + size[i] - 1;
    }
}

/* Makes the edges of a tree: those of the graph, or turned, with an end that follows all exits. */
static int
take_edges(const Py_buffer *after_at, const Py_buffer *after, const char *exits, int *from, int *to)
{
    const int *at = after_at->buf, *following = after->buf;
    int n_blocks = (int)(after_at->len / (Py_ssize_t)sizeof(int)) - 1, n_edges = 0;
    for (int block = 0; block < n_blocks; block++) {
        for (int i = at[block]; i < at[block + 1]; i++) {
            from[n_edges] = exits == NULL ? block : following[i];
            to[n_edges++] = exits == NULL ? following[i] : block;
        }
        if (exits != NULL && (exits[block] || at[block] == at[block + 1])) {
            from[n_edges] = n_blocks;
            to[n_edges++] = block;
        }
    }
    return n_edges;
}

PyDoc_STRVAR(dominators_doc,
"dominators(after_at, after, exits)\n--\n\n"
"The tree of the dominators of some blocks, as bytes of 32-bit integers: the parent of each, or -1,\n"
"and the first and the last number in its subtree. `after_at`, `after`: as in `trace`.\n\n"
"`exits`: None, or for post-dominators, a byte for each block that is not 0 if the end follows it.\n"
"The end is one more block, which follows those without successors, too. Then, returns None if some\n"
"block does not lead to the end.");

static PyObject *
find_dominators(PyObject *module, PyObject *args)
{
    Py_buffer after_at, after;
    PyObject *exits, *result = NULL;
    char *is_exit = NULL;
    Py_ssize_t n_exits = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*O:dominators", &after_at, &after, &exits)) {
        return NULL;
    }
    int n_given = (int)(after_at.len / (Py_ssize_t)sizeof(int)) - 1, is_post = exits != Py_None;
    size_t n_blocks = (size_t)(n_given + is_post), n_most = (size_t)after.len / sizeof(int) + n_blocks;
    int *space = NULL;
    if (is_post
        && (PyBytes_AsStringAndSize(exits, &is_exit, &n_exits) < 0 || n_exits != n_given)) {
        goto end;
    }
    space = PyMem_Calloc(13 * (n_blocks + 1) + 4 * n_most, sizeof(int));
    if (space == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    int *part[13];
    for (int i = 0; i < 13; i++) {
        part[i] = space + (size_t)i * (n_blocks + 1);
    }
    int *edges = space + 13 * (n_blocks + 1), *from = edges, *to = edges + n_most;
    Tree tree = {
        .n_blocks = (int)n_blocks,
        .after_at = part[0], .after = edges + 2 * n_most,
        .before_at = part[1], .before = edges + 3 * n_most,
        .order = part[2], .number = part[3], .tree = part[4], .semi = part[5], .label = part[6],
        .linked = part[7], .path = part[8], .dominator = part[9],
    };
    tree.n_edges = take_edges(&after_at, &after, is_exit, from, to);
    group_by(tree.n_blocks, tree.n_edges, from, to, tree.after_at, tree.after);
    group_by(tree.n_blocks, tree.n_edges, to, from, tree.before_at, tree.before);
    if (n_blocks) {
        search_blocks(&tree, is_post ? n_given : 0);
        find_immediate(&tree);
        number_tree(&tree, part[10], part[11], part[12]);
    }
    if (is_post && tree.n_found < tree.n_blocks) {
        result = Py_NewRef(Py_None);
    }
    else {
        Py_ssize_t size = (Py_ssize_t)(n_blocks * sizeof(int));
        result = Py_BuildValue("(y#y#y#)", (char *)part[10], size, (char *)part[11], size,
                               (char *)part[12], size);
    }
end:
    PyMem_Free(space);
    PyBuffer_Release(&after_at);
    PyBuffer_Release(&after);
    return result;
}

static PyMethodDef methods[] = {
    {"dominators", find_dominators, METH_VARARGS, dominators_doc},
    {"blocks", find_blocks, METH_VARARGS, blocks_doc},
    {"group", group_uses, METH_VARARGS, group_doc},
    {"trace", trace_registers, METH_VARARGS, trace_doc},
    {"events", find_events, METH_VARARGS, events_doc},
    {"unusual", find_unusual, METH_VARARGS, unusual_doc},
    {"repeats", find_repeats, METH_VARARGS, repeats_doc},
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
