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

// Decimal numbers, correctly rounded. wasi-libc's strtod needs quadruple precision, which the toolchain has no library for.
// This is the simple algorithm of Go's strconv: decimal digits are doubled and halved until a binary mantissa remains.
enum { maxDigits = 800 };

typedef struct {
    int count;      // of digits
    int point;      // where the decimal point is
    int isCut;      // whether digits other than 0 were dropped
    unsigned char digits[maxDigits];
} Decimal;

static void trim(Decimal *a) {
    while (a->count > 0 && a->digits[a->count - 1] == 0) a->count--;
    if (a->count == 0) a->point = 0;
}

static void halve(Decimal *a, int times) {
    int read = 0, write = 0;
    uint64_t n = 0;
    for (; n >> times == 0; read++) {
        if (read >= a->count) {
            if (n == 0) {
                a->count = 0;
                return;
            }
            for (; n >> times == 0; read++) n *= 10;
            break;
        }
        n = n * 10 + a->digits[read];
    }
    a->point -= read - 1;
    uint64_t mask = ((uint64_t)1 << times) - 1;
    for (; read < a->count; read++) {
        unsigned char next = a->digits[read];
        a->digits[write++] = (unsigned char)(n >> times);
        n = (n & mask) * 10 + next;
    }
    for (; n > 0; n = (n & mask) * 10) {
        if (write < maxDigits) a->digits[write++] = (unsigned char)(n >> times);
        else if (n >> times) a->isCut = 1;
    }
    a->count = write;
    trim(a);
}

static void multiply(Decimal *a, int times) {
    unsigned char product[maxDigits + 20];
    int start = sizeof product;
    uint64_t n = 0;
    for (int read = a->count - 1; read >= 0 || n > 0; read--) {
        if (read >= 0) n += (uint64_t)a->digits[read] << times;
        product[--start] = (unsigned char)(n % 10);
        n /= 10;
    }
    int count = (int)sizeof product - start;
    a->point += count - a->count;
    a->count = count < maxDigits ? count : maxDigits;
    for (int index = 0; index < a->count; index++) a->digits[index] = product[start + index];
    for (int index = a->count; index < count; index++)
        if (product[start + index]) a->isCut = 1;
    trim(a);
}

static int roundsUp(const Decimal *a) {
    if (a->point < 0 || a->point >= a->count) return 0;
    if (a->digits[a->point] == 5 && a->point + 1 == a->count)
        return a->isCut || (a->point > 0 && a->digits[a->point - 1] % 2 != 0);
    return a->digits[a->point] >= 5;
}

static uint64_t bitsOf(Decimal *a) {
    static const int steps[] = {1, 3, 6, 9, 13, 16, 19, 23, 26};
    const uint64_t infinity = (uint64_t)2047 << 52;
    if (a->count == 0 || a->point < -330) return 0;
    if (a->point > 310) return infinity;
    int exponent = 0;
    while (a->point > 0) {
        int step = a->point >= 9 ? 27 : steps[a->point];
        halve(a, step);
        exponent += step;
    }
    while (a->point < 0 || (a->point == 0 && a->digits[0] < 5)) {
        int step = -a->point >= 9 ? 27 : steps[-a->point];
        multiply(a, step);
        exponent -= step;
    }
    exponent--;
    while (exponent < -1022) {
        int step = -1022 - exponent < 27 ? -1022 - exponent : 27;
        halve(a, step);
        exponent += step;
    }
    if (exponent > 1023) return infinity;
    multiply(a, 53);
    uint64_t mantissa = 0;
    for (int index = 0; index < a->point; index++)
        mantissa = mantissa * 10 + (index < a->count ? a->digits[index] : 0);
    mantissa += (uint64_t)roundsUp(a);
    if (mantissa == (uint64_t)2 << 52) {
        mantissa >>= 1;
        exponent++;
        if (exponent > 1023) return infinity;
    }
    if (!(mantissa >> 52)) exponent = -1023;
    return (mantissa & (((uint64_t)1 << 52) - 1)) | (uint64_t)(exponent + 1023) << 52;
}

// Reads a number of JSON's form; returns where it ends, or NULL where there is none.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    Decimal a = {0};
    int isNegative = *text == '-', hasDigits = 0, seenPoint = 0;
    if (*text == '-' || *text == '+') text++;
    for (;; text++) {
        if (*text == '.' && !seenPoint) {
            seenPoint = 1;
            a.point += a.count;
        } else if (*text >= '0' && *text <= '9') {
            hasDigits = 1;
            if (*text == '0' && a.count == 0) {
                if (seenPoint) a.point--;
            } else if (a.count < maxDigits) {
                a.digits[a.count++] = (unsigned char)(*text - '0');
            } else {
                if (*text != '0') a.isCut = 1;
                if (!seenPoint) a.point++;
            }
        } else {
            break;
        }
    }
    if (!hasDigits) return NULL;
    // Digits beyond the last that is kept were counted already.
    if (!seenPoint) a.point += a.count;
    if (*text == 'e' || *text == 'E') {
        const char *end = text + 1;
        int sign = *end == '-' ? -1 : 1, exponent = 0;
        if (*end == '-' || *end == '+') end++;
        if (*end >= '0' && *end <= '9') {
            for (; *end >= '0' && *end <= '9'; end++)
                if (exponent < 100000) exponent = exponent * 10 + (*end - '0');
            a.point += sign * exponent;
            text = end;
        }
    }
    trim(&a);
    union { uint64_t bits; double number; } value = {bitsOf(&a) | (uint64_t)isNegative << 63};
    *result = value.number;
    return text;
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
