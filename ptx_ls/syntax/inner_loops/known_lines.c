/* Known lines by their keys, and the scan of a text for them. */

#include "scanner.h"

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

/* Skips some characters of a source, at most to its end. */
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

/* Skips a line, and returns where it begins. */
static const char *
take_line(Source *source, Py_ssize_t row)
{
    const char *line = source->at;
    const unsigned long long stop = (unsigned long long)source->starts[row + 1];
    pass_over(source, (long long)(stop - (unsigned long long)source->starts[row]));
    return line;
}

/* Has an unknown line read in Python; writes its record as that of all lines up to the end of its
   run, and skips the run. Returns the next line, or -1. */
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
        if (ptx_write_key(key, line, source->at) < 0) {
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
"returns: a record, the number of the line after it, and whether to keep the record.\n\n"
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

PyType_Spec ptx_known_lines = {
    .name = "ptx_ls.syntax._scanner.KnownLines",
    .basicsize = sizeof(Lines),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = lines_slots,
};
