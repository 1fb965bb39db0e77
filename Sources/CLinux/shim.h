// Calls of Linux that Swift's Glibc module does not declare.

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

int pthread_setattr_default_np(const pthread_attr_t *);

int renameat2(int, const char *, int, const char *, unsigned);

/// renameat2(2): exchanges two files that are there. -1, with errno set, where that fails.
static inline int loupe_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

/// Whether names that differ in the case of letters are one name in an open folder: on the file systems of Windows, and
/// where a folder of ext4 or f2fs says so.
static inline int loupe_ignores_case(int folder) {
    const unsigned long types[] = {MSDOS_SUPER_MAGIC, EXFAT_SUPER_MAGIC, 0x5346544e /* NTFS */, 0x7366746e /* NTFS3 */,
                                   CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC};
    struct statfs system;
    if (fstatfs(folder, &system) == 0) {
        for (unsigned long index = 0; index < sizeof types / sizeof *types; index++) {
            if ((uint32_t)system.f_type == types[index]) return 1;
        }
    }
    long flags = 0;
    return ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0;
}
