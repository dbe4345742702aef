/* Reads the lines of a function that matter for control flow. */

#include "control_lines.h"

/* Takes the name at a place, which may be empty; returns the place after it and its blanks. */
static const char *
take_name(Control *control, const char *at, const char *end)
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
    return at;
}

/* The name of a label at the start of a line; 0 if there is something else. */
static int
take_label(Control *control, const char *at, const char *end)
{
    at = take_name(control, at, end);
    return control->size && at < end && *at == ':';
}

/* The only name after an opcode, before a `;`; 0 if there is something else. */
static int
take_target(Control *control, const char *at, const char *end)
{
    const char *stop;
    ptx_find_opcode(at, end, &stop);
    at = take_name(control, stop, end);
    return control->size && at < end && *at == ';';
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
    ptx_find_opcode(at, end, &stop);
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

/* Adds a line; returns 1 if it has to be read in Python, -1 after an exception. */
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
int
ptx_add_lines(Body *body, PyObject *text, PyObject *numbers, PyObject *kinds)
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
