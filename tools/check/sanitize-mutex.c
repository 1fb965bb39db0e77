// Reports the slow path of Swift's Mutex to ThreadSanitizer. The sanitizer sees only code that is compiled into the program:
// locking a mutex that no other thread holds. Waiting and waking happen in a library that is built without the sanitizer, so
// it would sometimes report accesses guarded by a mutex as races.
//
// tools/sanitize builds this file and loads it before that library.
#include <dlfcn.h>
#include <stdint.h>

// Functions of the sanitizer, which are missing in programs without it.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// _MutexHandle._lockSlow(_: UInt32) and _unlockSlow(). A mutex starts with the number of the thread that holds it.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

typedef SWIFT void (*Lock)(uint32_t, SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void unlock(SELF mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF mutex) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
