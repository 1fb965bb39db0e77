// What Embedded Swift's standard library expects of a platform, for a page. Memory comes from wasi-libc's malloc, there is
// nothing to print to, and hashing needs no secret.
#include <stddef.h>
#include <stdint.h>

// Nothing that could be overwritten is reachable from a page but the module's own memory.
unsigned long __stack_chk_guard = 0x4c6f7570;
__attribute__((noreturn)) void __stack_chk_fail(void) { __builtin_trap(); }

int putchar(int character) { return character; }

// Hash tables of a page hold its own names. A fixed seed makes every run the same.
void arc4random_buf(void *buffer, size_t count) {
    unsigned char *bytes = buffer;
    for (size_t index = 0; index < count; index++) bytes[index] = (unsigned char)(index * 37 + 11);
}

// The lower 128 bits of a product, of compiler-rt.
__int128 __multi3(__int128 a, __int128 b) {
    uint64_t al = (uint64_t)a, bl = (uint64_t)b;
    uint64_t a0 = (uint32_t)al, a1 = al >> 32, b0 = (uint32_t)bl, b1 = bl >> 32;
    uint64_t low = a0 * b0, m1 = a1 * b0 + (low >> 32), m2 = a0 * b1 + (uint32_t)m1;
    uint64_t high = a1 * b1 + (m1 >> 32) + (m2 >> 32);
    high += (uint64_t)(a >> 64) * bl + al * (uint64_t)(b >> 64);
    return (__int128)(((unsigned __int128)high << 64) | (m2 << 32) | (uint32_t)low);
}

// Decimal numbers, correctly rounded, by wasi-libc, which would print that it has no long doubles.
int fputs(const char *text, void *file) { return 0; }
char __stderr_FILE[1];
double strtod(const char *text, char **end);
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    if (*text <= ' ') return NULL;
    char *end;
    *result = strtod(text, &end);
    return end == text ? NULL : end;
}

// What Unicode says about characters, for Swift's strings. Its tables would be a tenth of a page, and the modules need none
// of it: every character stands for itself. Strings are equal whose scalars are, and only the letters of ASCII have cases.
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return 0; }
const uint8_t *const _swift_stdlib_nfd_decompositions = NULL;
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return 0; }
uint32_t _swift_stdlib_getComposition(uint32_t x, uint32_t y) { return UINT32_MAX; }
uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { return 0; }
_Bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { return 0; }
_Bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { return 0; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { return 0; }
uint8_t _swift_stdlib_getNumericType(uint32_t scalar) { return 0; }
int32_t _swift_stdlib_getMapping(uint32_t scalar, uint8_t mapping) { return 0; }
const uint8_t *_swift_stdlib_getSpecialMapping(uint32_t scalar, uint8_t mapping, intptr_t *count) { return NULL; }
