/* Searches for lines with unusual numbers or repeated names. */

#include "scanner.h"

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

PyMethodDef ptx_search_methods[] = {
    {"unusual", find_unusual, METH_VARARGS, unusual_doc},
    {"repeats", find_repeats, METH_VARARGS, repeats_doc},
    {NULL, NULL, 0, NULL},
};
