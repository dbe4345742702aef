/* The uses of registers in a function, and the paths between them. */

#include "scanner.h"

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

PyMethodDef ptx_trace_methods[] = {
    {"group", group_uses, METH_VARARGS, group_doc},
    {"trace", trace_registers, METH_VARARGS, trace_doc},
    {NULL, NULL, 0, NULL},
};
