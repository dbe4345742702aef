/* The lines of a function that matter for control flow. */

#ifndef PTX_CONTROL_LINES_H
#define PTX_CONTROL_LINES_H

#include "scanner.h"

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

/* The control lines of a function so far. */
typedef struct {
    Buffer controls;
    int row, n_plain, depth, is_begun, is_closed;
    PyObject *never;
} Body;

/* Adds the lines of a part of a function; returns 1 if they have to be read in Python, -1 after an
   exception. */
int ptx_add_lines(Body *body, PyObject *text, PyObject *numbers, PyObject *kinds);

#endif
