// This is C, because libpng reports errors by longjmp, which Swift cannot receive. Each function below that calls
// libpng sets its own return point first, so that a jump lands in the frame that made the call. Locals that are read
// after a jump are not changed between the setjmp and the jump.
#include "cpng.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpng_reader {
    png_structp png;
    png_infop info;
    cpng_read_function read;
    void *context;
    int passes;
    bool is_16_bit;
    char message[CPNG_MESSAGE_SIZE];
};

// The error pointer of both libpng structs is a message buffer of CPNG_MESSAGE_SIZE bytes.
static void on_error(png_structp png, png_const_charp reason) {
    snprintf(png_get_error_ptr(png), CPNG_MESSAGE_SIZE, "%s", reason);
    png_longjmp(png, 1);
}

// libpng treats a broken zlib stream as an error while rows are missing, and as a warning after the last row. Here it is
// always an error, except for extra bytes, which change no pixel.
static bool is_broken_image_data(png_const_charp reason) {
    return strncmp(reason, "IDAT: ", 6) == 0 && strcmp(reason, "IDAT: Extra compressed data") != 0
        && strcmp(reason, "IDAT: Too much image data") != 0
        && strcmp(reason, "IDAT: ..Too many IDATs found") != 0;
}

static void on_warning(png_structp png, png_const_charp reason) {
    if (is_broken_image_data(reason)) {
        on_error(png, reason);
    }
}

static void on_read(png_structp png, png_bytep into, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (reader->read(reader->context, into, count) != count) {
        png_error(png, "the file ends too soon");
    }
}

static bool set_limits(cpng_reader *reader, cpng_limits limits) {
    if (setjmp(png_jmpbuf(reader->png))) {
        return false;
    }
    png_set_user_limits(reader->png, limits.width, limits.height);
    // Only IHDR, PLTE, tRNS, IDAT and IEND change the pixels. Every other known chunk is skipped, whatever its length.
    png_set_chunk_malloc_max(reader->png, 0);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    return true;
}

cpng_reader *cpng_reader_create(cpng_read_function read, void *context, cpng_limits limits) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    reader->read = read;
    reader->context = context;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader->message, on_error, on_warning);
    reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
    if (reader->info == NULL || !set_limits(reader, limits)) {
        cpng_reader_destroy(reader);
        return NULL;
    }
    png_set_read_fn(reader->png, reader, on_read);
    return reader;
}

bool cpng_reader_start(cpng_reader *reader, bool is_16_bit) {
    if (setjmp(png_jmpbuf(reader->png))) {
        return false;
    }
    png_read_info(reader->png, reader->info);
    png_set_expand(reader->png);
    reader->is_16_bit = is_16_bit && png_get_bit_depth(reader->png, reader->info) == 16;
    if (reader->is_16_bit) {
        // PNG stores the high byte first.
        png_set_swap(reader->png);
    } else {
        png_set_scale_16(reader->png);
    }
    png_set_gray_to_rgb(reader->png);
    png_set_add_alpha(reader->png, reader->is_16_bit ? 0xffff : 0xff, PNG_FILLER_AFTER);
    reader->passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return true;
}

// The only check that the rows fit into the buffer.
static void check_rows(cpng_reader *reader, size_t rows, size_t count) {
    size_t width = png_get_image_width(reader->png, reader->info);
    size_t stride = png_get_rowbytes(reader->png, reader->info);
    bool are_all = rows == png_get_image_height(reader->png, reader->info);
    if (stride != width * (reader->is_16_bit ? 8 : 4) || count / stride != rows || count % stride != 0
        || (reader->passes > 1 && !are_all)) {
        png_error(reader->png, "the rows do not fit the picture");
    }
}

bool cpng_reader_read_rows(cpng_reader *reader, uint8_t *pixels, size_t rows, size_t count) {
    if (setjmp(png_jmpbuf(reader->png))) {
        return false;
    }
    check_rows(reader, rows, count);
    size_t stride = count / rows;
    for (int pass = 0; pass < reader->passes; pass++) {
        for (size_t row = 0; row < rows; row++) {
            png_read_row(reader->png, pixels + row * stride, NULL);
        }
    }
    return true;
}

bool cpng_reader_finish(cpng_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) {
        return false;
    }
    // The last CRC and IEND come after the last row: without them the file is cut short. Without the info argument, unknown
    // critical chunks would be skipped here.
    png_read_end(reader->png, reader->info);
    return true;
}

const char *cpng_reader_message(const cpng_reader *reader) {
    return reader->message;
}

void cpng_reader_destroy(cpng_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}
