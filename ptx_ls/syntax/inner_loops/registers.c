/* The registers of lines: numbers beyond the end of a range, and what instructions do with them. */

#include "scanner.h"

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
"Whether a text may have a register after the end of its range.\n\n"
"`ranges`: pairs of the text before the number, without digits, and the count.");

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

/* The codes of the registers of a function. */
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

/* Where the events of lines are written. */
typedef struct {
    Buffer rows, codes, ways, odd;
} Events;

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

PyMethodDef ptx_register_methods[] = {
    {"may_overflow", may_overflow, METH_VARARGS, may_overflow_doc},
    {"events", find_events, METH_VARARGS, events_doc},
    {NULL, NULL, 0, NULL},
};
