/* The basic blocks of a function. */

#include "control_lines.h"

/* The names of labels that branches lead to: a hash table with open addressing. */
typedef struct {
    const Control **entries;
    size_t n_entries; /* a power of two */
    int *blocks;      /* of each entry: the block that begins there, or -1 */
} Targets;

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

/* Makes the blocks and the pairs of connected ones; returns 1 if they have to be read in Python. */
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
    for (int block = 0; block < blocks->n_blocks; block++) { /* at most two: the next, or a target */
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
            status = ptx_add_lines(&body, text, numbers, kinds);
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

PyMethodDef ptx_block_methods[] = {
    {"blocks", find_blocks, METH_VARARGS, blocks_doc},
    {NULL, NULL, 0, NULL},
};
