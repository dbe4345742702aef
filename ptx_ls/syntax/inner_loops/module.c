/* The module `_scanner`: the inner loops of reading PTX, for machines that can compile them. */

#include "scanner.h"

unsigned char ptx_classes[256];

static void
classify(void)
{
    for (int c = 0; c < 256; c++) {
        int is_digit = c >= '0' && c <= '9';
        int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        int is_hex = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        ptx_classes[c] = (unsigned char)(
            (is_digit || is_letter ? WORD | OPCODE : 0) | (is_digit ? DIGIT : 0)
            | (is_hex ? HEX : 0) | (c == ' ' || c == '\t' ? BLANK : 0) | (c < 8 || c > 127 ? ODD : 0)
            | (c == '.' || c == ':' ? OPCODE : 0) | (is_letter || c == '$' ? REGISTER : 0)
            | (is_letter || c == '$' || c == '%' || c == '/' || c == '"' || c == ']' ? MARK : 0));
    }
}

/* The build gives the beginning of the hash of the sources, so that `scanner.py` knows an old one. */
#ifndef SCANNER_SOURCE
#define SCANNER_SOURCE
#endif
#define QUOTE(word) #word
#define QUOTED(word) QUOTE(word)

static int
prepare(PyObject *module)
{
    PyMethodDef *parts[] = {
        ptx_line_methods, ptx_register_methods, ptx_search_methods,
        ptx_trace_methods, ptx_block_methods, ptx_dominator_methods,
        ptx_dependence_methods,
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (PyModule_AddFunctions(module, parts[i]) < 0) {
            return -1;
        }
    }
    classify();
    PyObject *type = PyType_FromModuleAndSpec(module, &ptx_known_lines, NULL);
    int status = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    if (status < 0) {
        return -1;
    }
    return PyModule_AddStringConstant(module, "source", QUOTED(SCANNER_SOURCE));
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)prepare}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_scanner",
    .m_doc = "The inner loops of reading PTX.",
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__scanner(void)
{
    return PyModuleDef_Init(&definition);
}
