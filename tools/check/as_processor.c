// Loaded before llvmpipe by tools/check/determinism: llvmpipe then makes its code for another processor, which runs on this one.
// The name that LLVM asks for is that of LOUPE_PROCESSOR. Mesa's own question, an instruction that tools/check/determinism has
// replaced in a copy of the driver by an undefined one, is answered without AVX-512.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

struct string_ref {
    const char *start;
    size_t length;
};

// llvm::sys::getHostCPUName()
struct string_ref _ZN4llvm3sys14getHostCPUNameEv(void) {
    const char *name = getenv("LOUPE_PROCESSOR");
    return (struct string_ref){name, strlen(name)};
}

static void answer(int signal, siginfo_t *info, void *state) {
    (void)signal, (void)info;
    greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
    const unsigned char *instruction = (const unsigned char *)registers[REG_RIP];
    if (instruction[0] != 0x0f || instruction[1] != 0x0b || (unsigned)registers[REG_RAX] != 7) abort();
    unsigned a = 7, b, c = registers[REG_RCX], d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    // AVX-512's foundation and its extensions.
    b &= ~(1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31);
    c &= ~(1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14);
    registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void prepare(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
}
