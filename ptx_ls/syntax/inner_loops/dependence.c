/* The branches that decide whether blocks run, directly or through others. */

#include "scanner.h"

/* Whether a block has two successors or more, so that it decides something. */
static inline int
is_branch(const int *at, int block)
{
    return at[block + 1] - at[block] > 1;
}

/* Adds the dependences of blocks on branches: from each successor of a branch up to where threads
   meet. Without `found`, it only counts: those of a block are counted in `ends`. */
static long
walk(const int *at, const int *after, const int *parent, int n_blocks, long most, int *seen,
     int *ends, int *found)
{
    long n_found = 0;
    memset(seen, -1, (size_t)n_blocks * sizeof(int));
    for (int block = 0; block < n_blocks; block++) {
        for (int i = at[block]; is_branch(at, block) && i < at[block + 1]; i++) {
            for (int each = after[i]; each >= 0 && each < n_blocks && each != parent[block];
                 each = parent[each]) {
                if (seen[each] == block) {
                    break;
                }
                if (++n_found > most) {
                    return n_found;
                }
                seen[each] = block;
                if (found != NULL) {
                    found[ends[each]] = block;
                }
                ends[each]++;
            }
        }
    }
    return n_found;
}

PyDoc_STRVAR(dependence_doc,
"dependence(after_at, after, parent, most)\n--\n\n"
"For each block, where the branches begin that decide whether it runs, and their number; and these\n"
"branches, both as bytes of 32-bit integers. `after_at`, `after`: as in `trace`. `parent`: the parents\n"
"of the blocks in the tree of post-dominators. None if there are more than `most`.");

static PyObject *
find_dependence(PyObject *module, PyObject *args)
{
    Py_buffer after_at, after, parent;
    long most;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*l:dependence", &after_at, &after, &parent, &most)) {
        return NULL;
    }
    const int *at = after_at.buf, *following = after.buf, *above = parent.buf;
    int n_blocks = (int)(after_at.len / (Py_ssize_t)sizeof(int)) - 1;
    int *seen = PyMem_Calloc(2 * (size_t)n_blocks + 1, sizeof(int)), *starts = seen + n_blocks;
    int *found = NULL;
    if (seen == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    long n_found = walk(at, following, above, n_blocks, most, seen, starts + 1, NULL);
    if (n_found > most) {
        result = Py_NewRef(Py_None);
        goto end;
    }
    found = PyMem_Malloc((size_t)(n_found + 1) * sizeof(int));
    if (found == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (int block = 0; block < n_blocks; block++) {
        starts[block + 1] += starts[block];
    }
    /* Each start moves to the end of its group, which is the start of the next one. */
    memmove(starts + 1, starts, (size_t)n_blocks * sizeof(int));
    starts[0] = 0;
    walk(at, following, above, n_blocks, most, seen, starts + 1, found);
    result = Py_BuildValue("(y#y#)", (char *)starts, (Py_ssize_t)(n_blocks + 1) * (Py_ssize_t)sizeof(int),
                           (char *)found, (Py_ssize_t)n_found * (Py_ssize_t)sizeof(int));
end:
    PyMem_Free(found);
    PyMem_Free(seen);
    PyBuffer_Release(&after_at);
    PyBuffer_Release(&after);
    PyBuffer_Release(&parent);
    return result;
}

PyDoc_STRVAR(decisions_doc,
"decisions(at, branches, most)\n--\n\n"
"How many branches decide, directly or indirectly, whether each block runs, in all; more than `most`\n"
"if there are more. `at`, `branches`: what `dependence` returns.");

static PyObject *
count_decisions(PyObject *module, PyObject *args)
{
    Py_buffer starts, branches;
    long most, n_found = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*l:decisions", &starts, &branches, &most)) {
        return NULL;
    }
    const int *at = starts.buf, *deciding = branches.buf;
    int n_blocks = (int)(starts.len / (Py_ssize_t)sizeof(int)) - 1;
    int *seen = PyMem_Calloc(2 * (size_t)n_blocks + 1, sizeof(int)), *waiting = seen + n_blocks;
    for (int block = 0; seen != NULL && block < n_blocks && n_found <= most; block++) {
        int n_waiting = 0, each = block;
        while (1) {
            for (int i = at[each]; i < at[each + 1]; i++) {
                if (seen[deciding[i]] != block + 1) {
                    seen[deciding[i]] = block + 1;
                    waiting[n_waiting++] = deciding[i];
                    n_found++;
                }
            }
            if (!n_waiting) {
                break;
            }
            each = waiting[--n_waiting];
        }
    }
    PyObject *result = seen != NULL ? PyLong_FromLong(n_found) : PyErr_NoMemory();
    PyMem_Free(seen);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&branches);
    return result;
}

PyMethodDef ptx_dependence_methods[] = {
    {"dependence", find_dependence, METH_VARARGS, dependence_doc},
    {"decisions", count_decisions, METH_VARARGS, decisions_doc},
    {NULL, NULL, 0, NULL},
};
