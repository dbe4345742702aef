/* The keys of lines: their text without numbers, except in the opcode. */

#include "scanner.h"

/* Digits of a number that may be too large for 64 bits. */
enum { LONG_NUMBER = 20 };

/* Counts the hexadecimal digits at a place, up to `most`. */
static Py_ssize_t
hex_digits(const char *at, const char *end, Py_ssize_t most)
{
    const char *first = at;
    while (at < end && at - first < most && is(*at, HEX)) {
        at++;
    }
    return at - first;
}

/* The end of the number in hexadecimal that begins with the 0 at a place, or NULL; writes the
   part of it that the key keeps. A float has to have all its digits. */
static const char *
take_bits(const char *at, const char *end, char **out)
{
    char kind = at + 1 < end ? at[1] : 0;
    Py_ssize_t wanted = 0;
    switch (kind) {
    case 'f': case 'F': wanted = 8; break;
    case 'd': case 'D': wanted = 16; break;
    case 'x': case 'X': break;
    default: return NULL;
    }
    Py_ssize_t count = hex_digits(at + 2, end, wanted ? wanted : 16);
    if (wanted ? count < wanted : !count) {
        return NULL;
    }
    const char *after = at + 2 + count;
    int is_unsigned = !wanted && after < end && *after == 'U';
    after += is_unsigned;
    if (goes_on(after, end)) {
        return NULL;
    }
    *(*out)++ = '\1';
    *(*out)++ = kind;
    if (is_unsigned) {
        *(*out)++ = 'U';
    }
    return after;
}

/* Copies text without the values of its numbers; `before`: the character in front of it. */
static char *
copy_numberless(const char *at, const char *end, char before, char *out)
{
    while (at < end) {
        char c = *at;
        if (!is(c, DIGIT)) {
            *out++ = before = c;
            at++;
            continue;
        }
        int is_number = !is(before, WORD) && before != '$' && before != '.' && before != '%';
        const char *after = is_number && c == '0' ? take_bits(at, end, &out) : NULL;
        if (after == NULL) {
            after = at;
            while (after < end && is(*after, DIGIT)) {
                after++;
            }
            if (is_number && c == '0' && after - at > 1) { /* octal, or none */
                memcpy(out, at, (size_t)(after - at));
                out += after - at;
            }
            else {
                *out++ = after - at >= LONG_NUMBER ? '\0' : '0';
            }
        }
        before = after[-1];
        at = after;
    }
    return out;
}

/* Where the opcode of a line begins and, in `stop`, ends; as `scanner.OPCODES` has it. */
const char *
ptx_find_opcode(const char *at, const char *end, const char **stop)
{
    while (at < end && is(*at, BLANK)) {
        at++;
    }
    if (at < end && *at == '@') {
        const char *guard = at;
        while (guard < end && !is(*guard, BLANK) && *guard != '\r' && *guard != '\n') {
            guard++;
        }
        const char *blanks = guard;
        while (guard < end && is(*guard, BLANK)) {
            guard++;
        }
        if (guard > blanks) {
            at = guard;
        }
    }
    const char *last = at;
    while (last < end && is(*last, OPCODE)) {
        last++;
    }
    for (;;) {
        const char *next = last;
        while (next < end && is(*next, BLANK)) {
            next++;
        }
        if (next == last || next + 1 >= end || *next != '.' || !is(next[1], OPCODE)) {
            break;
        }
        last = next + 1;
        while (last < end && is(*last, OPCODE)) {
            last++;
        }
    }
    *stop = last;
    return at;
}

/* Replaces the content of a buffer by the key of a line. */
int
ptx_write_key(Buffer *buffer, const char *text, const char *end)
{
    Py_ssize_t size = end - text;
    int is_odd = 0;
    for (const char *at = text; at < end; at++) {
        is_odd |= is(*at, ODD);
    }
    buffer->used = 0;
    if (reserve(buffer, size + 1) < 0) {
        return -1;
    }
    char *out = buffer->bytes;
    if (is_odd) {
        *out = '\2';
        memcpy(out + 1, text, (size_t)size);
        buffer->used = size + 1;
        return 0;
    }
    const char *stop, *opcode = ptx_find_opcode(text, end, &stop);
    out = copy_numberless(text, opcode, '\n', out);
    memcpy(out, opcode, (size_t)(stop - opcode));
    out = copy_numberless(stop, end, stop > text ? stop[-1] : '\n', out + (stop - opcode));
    buffer->used = out - buffer->bytes;
    return 0;
}
