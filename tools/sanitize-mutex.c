// Tells ThreadSanitizer of Swift's Mutex where two threads want one at once. By itself it sees only what is compiled into
// the program: a mutex that nobody waits for. Waiting and waking are done in a library that was built without it, by the
// kernel, so that what the mutex guards would be reported as a race, now and then.
//
// tools/sanitize builds this and loads it before that library.
#include <dlfcn.h>
#include <stdint.h>

// Of the sanitizer; programs without it have none.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// _MutexHandle._lockSlow(_: UInt32) and _unlockSlow(). A mutex begins with the number that tells who holds it.
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
