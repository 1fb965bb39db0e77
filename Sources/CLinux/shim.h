// What Swift's Glibc module does not declare: calls of Linux, and those of glibc's memory.

#include <malloc.h>
#include <pthread.h>

int pthread_setattr_default_np(const pthread_attr_t *);

// Of string.h, where glibc has it for programs with GNU extensions.
void *memmem(const void *text, size_t length, const void *word, size_t word_length);
