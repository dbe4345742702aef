/* The dominators of basic blocks. */

#include "scanner.h"

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

/* Marks the last block of each loop that never ends as an exit: of those that do not lead to the end,
   the components that no edge leaves. This is Tarjan's algorithm. `tree`: the turned graph. */
static void
end_loops(const Tree *tree, const int *at, const int *after, char *exits)
{
    int n_given = tree->n_blocks - 1, n_seen = 0, n_path = 0, n_open = 0;
    int *seen = tree->tree, *low = tree->semi, *path = tree->path, *cursor = tree->linked;
    int *open = tree->label, *closed = tree->dominator; /* whether a component is complete */
    memset(seen, 0, (size_t)n_given * sizeof(int));
    memset(closed, 0, (size_t)n_given * sizeof(int));
    for (int root = 0; root < n_given; root++) {
        if (tree->number[root] >= 0 || seen[root]) {
            continue;
        }
        path[n_path++] = root;
        while (n_path) {
            int block = path[n_path - 1], last = block, is_left = 0;
            if (!seen[block]) {
                seen[block] = low[block] = ++n_seen;
                cursor[block] = at[block];
                open[n_open++] = block;
            }
            if (cursor[block] < at[block + 1]) {
                int following = after[cursor[block]++];
                if (!seen[following]) {
                    path[n_path++] = following;
                }
                else if (!closed[following] && seen[following] < low[block]) {
                    low[block] = seen[following];
                }
                continue;
            }
            n_path--;
            if (n_path && low[block] < low[path[n_path - 1]]) {
                low[path[n_path - 1]] = low[block];
            }
            if (low[block] < seen[block]) {
                continue;
            }
            int first = n_open;
            do {
                last = open[--first] > last ? open[first] : last;
            } while (open[first] != block);
            for (int i = first; i < n_open; i++) {
                for (int j = at[open[i]]; j < at[open[i] + 1]; j++) {
                    is_left |= closed[after[j]];
                }
            }
            while (n_open > first) {
                closed[open[--n_open]] = 1;
            }
            if (!is_left) {
                exits[last] = 1;
            }
        }
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
"The end is one more block, which follows those without successors, too, and the last block of each\n"
"loop that never ends.");

static PyObject *
find_dominators(PyObject *module, PyObject *args)
{
    Py_buffer after_at, after;
    PyObject *exits, *result = NULL;
    char *is_exit = NULL, *given = NULL;
    Py_ssize_t n_exits = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*O:dominators", &after_at, &after, &exits)) {
        return NULL;
    }
    int n_given = (int)(after_at.len / (Py_ssize_t)sizeof(int)) - 1, is_post = exits != Py_None;
    size_t n_blocks = (size_t)(n_given + is_post), n_most = (size_t)after.len / sizeof(int) + n_blocks;
    int *space = NULL;
    if (is_post
        && (PyBytes_AsStringAndSize(exits, &given, &n_exits) < 0 || n_exits != n_given)) {
        goto end;
    }
    space = PyMem_Calloc(14 * (n_blocks + 1) + 4 * n_most, sizeof(int));
    if (space == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    int *part[13];
    for (int i = 0; i < 13; i++) {
        part[i] = space + (size_t)i * (n_blocks + 1);
    }
    if (is_post) {
        is_exit = (char *)(space + 13 * (n_blocks + 1));
        memcpy(is_exit, given, (size_t)n_given);
    }
    int *edges = space + 14 * (n_blocks + 1), *from = edges, *to = edges + n_most;
    Tree tree = {
        .n_blocks = (int)n_blocks,
        .after_at = part[0], .after = edges + 2 * n_most,
        .before_at = part[1], .before = edges + 3 * n_most,
        .order = part[2], .number = part[3], .tree = part[4], .semi = part[5], .label = part[6],
        .linked = part[7], .path = part[8], .dominator = part[9],
    };
    for (int is_done = n_blocks == 0; !is_done;) {
        memset(tree.after_at, 0, (n_blocks + 1) * sizeof(int));
        memset(tree.before_at, 0, (n_blocks + 1) * sizeof(int));
        tree.n_edges = take_edges(&after_at, &after, is_exit, from, to);
        group_by(tree.n_blocks, tree.n_edges, from, to, tree.after_at, tree.after);
        group_by(tree.n_blocks, tree.n_edges, to, from, tree.before_at, tree.before);
        search_blocks(&tree, is_post ? n_given : 0);
        is_done = !is_post || tree.n_found == tree.n_blocks;
        if (!is_done) {
            end_loops(&tree, after_at.buf, after.buf, is_exit);
        }
    }
    if (n_blocks) {
        find_immediate(&tree);
        number_tree(&tree, part[10], part[11], part[12]);
    }
    Py_ssize_t size = (Py_ssize_t)(n_blocks * sizeof(int));
    result = Py_BuildValue("(y#y#y#)", (char *)part[10], size, (char *)part[11], size,
                           (char *)part[12], size);
end:
    PyMem_Free(space);
    PyBuffer_Release(&after_at);
    PyBuffer_Release(&after);
    return result;
}

PyMethodDef ptx_dominator_methods[] = {
    {"dominators", find_dominators, METH_VARARGS, dominators_doc},
    {NULL, NULL, 0, NULL},
};
