// libpng with return codes: where libpng would call longjmp, a function here returns false and keeps the reason. No
// longjmp crosses a frame outside cpng.c.
#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Room for one message of libpng's, its closing zero included.
#define CPNG_MESSAGE_SIZE 160

/// Copies up to `count` bytes into `into` and returns how many; fewer only at the end or after a failure.
typedef size_t (*cpng_read_function)(void *_Nonnull context, void *_Nonnull into, size_t count);

typedef struct {
    uint32_t width;
    uint32_t height;
} cpng_limits;

typedef struct cpng_reader cpng_reader;

/// Null when there is no memory. `context` must outlive the reader.
cpng_reader *_Nullable cpng_reader_create(
    cpng_read_function _Nonnull read, void *_Nonnull context, cpng_limits limits);

/// Reads up to the pixels and asks for straight RGBA: 8 bits a channel, or the machine's own 16-bit numbers where `is_16_bit`
/// is true and the file has 16 bits.
bool cpng_reader_start(cpng_reader *_Nonnull reader, bool is_16_bit);

/// Reads the next `rows`, at least one, into `pixels`, which are only written; of an interlaced picture all of them. `count`
/// must be width * rows * 4, or twice as much for 16 bits, and no more rows may be asked for than there are. Call it after
/// cpng_reader_start has returned true.
bool cpng_reader_read_rows(cpng_reader *_Nonnull reader, uint8_t *_Nonnull pixels, size_t rows, size_t count);

/// Reads from the last row to the end of the file.
bool cpng_reader_finish(cpng_reader *_Nonnull reader);

/// Why the last call returned false.
const char *_Nonnull cpng_reader_message(const cpng_reader *_Nonnull reader);

void cpng_reader_destroy(cpng_reader *_Nonnull reader);

/// Undoes the filters of rows that each follow the number of their filter, and widens their pixels to four samples: grey to red, green
/// and blue, no alpha to an opaque one. Samples of 16 bits keep the file's order of bytes.
///
/// `above` is the row of pixels above the first, zeros at the top. Each row has `width` pixels, at least one, of 1 to 4 channels with
/// 8 or 16 bits. Seven bytes after the rows may be read. Returns false where a filter's number is unknown.
bool cpng_unfilter(
    const void *_Nonnull rows, size_t count, const void *_Nonnull above, void *_Nonnull pixels, size_t width, int channels, int depth);

#endif
