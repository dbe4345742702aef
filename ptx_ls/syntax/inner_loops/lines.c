/* The lines of a text, and the records of many lines by number. */

#include "scanner.h"

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

PyMethodDef ptx_line_methods[] = {
    {"line_starts", line_starts, METH_O, line_starts_doc},
    {"number", number, METH_O, number_doc},
    {NULL, NULL, 0, NULL},
};
