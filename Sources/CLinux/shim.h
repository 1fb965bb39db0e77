// Calls of Linux that Swift's Glibc module does not declare.

#include <pthread.h>

int pthread_setattr_default_np(const pthread_attr_t *);
