#include "loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// A file in memory. What is written grows; what is read has no capacity.
struct memory {
    uint8_t *bytes;
    size_t count, capacity, place;
    bool grows;
};

static tmsize_t read_some(thandle_t handle, void *to, tmsize_t count) {
    struct memory *memory = handle;
    size_t left = memory->place < memory->count ? memory->count - memory->place : 0;
    if ((size_t)count > left) count = (tmsize_t)left;
    memcpy(to, memory->bytes + memory->place, (size_t)count);
    memory->place += (size_t)count;
    return count;
}

static tmsize_t write_some(thandle_t handle, void *from, tmsize_t count) {
    struct memory *memory = handle;
    size_t end = memory->place + (size_t)count;
    if (!memory->grows) return 0;
    if (end > memory->capacity) {
        size_t capacity = end + end / 2;
        uint8_t *bytes = realloc(memory->bytes, capacity);
        if (!bytes) return 0;
        memory->bytes = bytes, memory->capacity = capacity;
    }
    // A gap has no meaning, but always the same bytes.
    if (memory->place > memory->count) memset(memory->bytes + memory->count, 0, memory->place - memory->count);
    memcpy(memory->bytes + memory->place, from, (size_t)count);
    memory->place = end;
    if (end > memory->count) memory->count = end;
    return count;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    struct memory *memory = handle;
    if (whence == SEEK_CUR) offset += memory->place;
    if (whence == SEEK_END) offset += memory->count;
    memory->place = offset;
    return offset;
}

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size(thandle_t handle) { return ((struct memory *)handle)->count; }

static cpicture *current;

static void keep_reason(const char *module, const char *format, va_list arguments) {
    (void)module;
    if (current && !current->reason[0]) vsnprintf(current->reason, sizeof current->reason, format, arguments);
}

// Where the counts of a file's bytes are wrong, libtiff guesses others, and shows what lies there.
static void keep_warning(const char *module, const char *format, va_list arguments) {
    if (strstr(format, "ByteCount")) keep_reason(module, format, arguments);
}

static TIFF *opened(struct memory *memory, const char *mode) {
    TIFFSetErrorHandler(keep_reason);
    TIFFSetWarningHandler(keep_warning);
    return TIFFClientOpen("", mode, memory, read_some, write_some, seek, close_nothing, size, NULL, NULL);
}

// One sample, of 8 or 16 bits.
static uint16_t sample(const void *row, int depth, size_t index) {
    return depth == 16 ? ((const uint16_t *)row)[index] : ((const uint8_t *)row)[index];
}

struct layout {
    int depth, samples, channels;
    bool is_inverse, is_premultiplied;
    int width;
};

// A row of samples as straight red, green, blue and alpha.
static void spread(const struct layout *layout, const void *row, int count, void *pixels, size_t first) {
    uint32_t most = layout->depth == 16 ? 65535 : 255;
    bool has_alpha = layout->samples > layout->channels;
    for (int column = 0; column < count; column += 1) {
        uint32_t pixel[4];
        size_t at = (size_t)column * (size_t)layout->samples;
        for (int channel = 0; channel < 3; channel += 1) {
            uint32_t value = sample(row, layout->depth, at + (layout->channels == 3 ? (size_t)channel : 0));
            pixel[channel] = layout->is_inverse ? most - value : value;
        }
        pixel[3] = has_alpha ? sample(row, layout->depth, at + (size_t)layout->channels) : most;
        for (int channel = 0; layout->is_premultiplied && has_alpha && channel < 3; channel += 1) {
            pixel[channel] = straight(pixel[channel], pixel[3], most);
        }
        for (int channel = 0; channel < 4; channel += 1) {
            size_t index = (first + (size_t)column) * 4 + (size_t)channel;
            if (layout->depth == 16) ((uint16_t *)pixels)[index] = (uint16_t)pixel[channel];
            else ((uint8_t *)pixels)[index] = (uint8_t)pixel[channel];
        }
    }
}

static bool read_rows(TIFF *tiff, const struct layout *layout, int height, void *pixels) {
    bool is_whole = true;
    if (TIFFIsTiled(tiff)) {
        uint32_t across = 0, down = 0;
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
        uint8_t *tile = malloc((size_t)TIFFTileSize(tiff));
        for (uint32_t y = 0; tile && is_whole && y < (uint32_t)height; y += down) {
            for (uint32_t x = 0; is_whole && x < (uint32_t)layout->width; x += across) {
                is_whole = TIFFReadTile(tiff, tile, x, y, 0, 0) >= 0;
                uint32_t columns = (uint32_t)layout->width - x < across ? (uint32_t)layout->width - x : across;
                for (uint32_t row = 0; is_whole && row < down && y + row < (uint32_t)height; row += 1) {
                    spread(layout, tile + row * (size_t)TIFFTileRowSize(tiff), (int)columns, pixels,
                           (size_t)(y + row) * (size_t)layout->width + x);
                }
            }
        }
        is_whole = is_whole && tile;
        free(tile);
        return is_whole;
    }
    uint8_t *row = malloc((size_t)TIFFScanlineSize(tiff));
    for (int y = 0; row && is_whole && y < height; y += 1) {
        is_whole = TIFFReadScanline(tiff, row, (uint32_t)y, 0) >= 0;
        if (is_whole) spread(layout, row, layout->width, pixels, (size_t)y * (size_t)layout->width);
    }
    is_whole = is_whole && row;
    free(row);
    return is_whole;
}

// Palettes, CMYK, YCbCr, fewer bits and separate planes, as libtiff shows them: words with red lowest, premultiplied.
static bool read_others(TIFF *tiff, int width, int height, uint8_t *pixels) {
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (!TIFFReadRGBAImageOriented(tiff, (uint32_t)width, (uint32_t)height, (uint32_t *)(void *)pixels, ORIENTATION_TOPLEFT, 1)) {
        return false;
    }
    for (size_t index = 0; index < (size_t)width * (size_t)height * 4; index += 4) {
        uint32_t word, alpha;
        memcpy(&word, pixels + index, 4);
        alpha = TIFFGetA(word);
        for (int channel = 0; channel < 3; channel += 1) {
            pixels[index + (size_t)channel] = (uint8_t)straight(word >> (8 * channel) & 255, alpha, 255);
        }
        pixels[index + 3] = (uint8_t)alpha;
    }
    return true;
}

// A length in metres; 0 where the unit, which ends before `ends`, is none.
static double metres(double value, const char *unit, const char *ends) {
    static const struct { const char *name; double metres; } units[] = {
        {"nm", 1e-9}, {"um", 1e-6}, {"\u00b5m", 1e-6}, {"\u03bcm", 1e-6}, {"\xb5m", 1e-6}, {"\\u00B5m", 1e-6}, {"&#181;m", 1e-6},
        {"&#xB5;m", 1e-6}, {"micron", 1e-6}, {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}, {"inch", 0.0254}, {"in", 0.0254},
    };
    size_t count = strcspn(unit, ends);
    for (size_t index = 0; index < sizeof units / sizeof *units; index += 1) {
        if (strlen(units[index].name) == count && !strncmp(unit, units[index].name, count)) return value * units[index].metres;
    }
    return 0;
}

// How large a pixel is, as OME-XML or ImageJ says in the description of the first picture.
static double pixel_size(TIFF *tiff) {
    const char *text = NULL, *unit;
    float resolution = 0;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || !text) return 0;
    const char *width = strstr(text, "PhysicalSizeX=\"");
    if (width) {
        const char *end = strchr(width, '>'), *tag = width;
        while (tag > text && *tag != '<') tag -= 1;
        unit = strstr(tag, "PhysicalSizeXUnit=\"");
        // Without a unit it is in micrometres (OME schema, Pixels).
        return metres(atof(width + 15), unit && end && unit < end ? unit + 19 : "um", "\"");
    }
    unit = strncmp(text, "ImageJ=", 7) ? NULL : strstr(text, "\nunit=");
    bool is_known = unit && TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &resolution) && resolution > 0;
    return is_known ? metres(1 / (double)resolution, unit + 6, "\r\n") : 0;
}

static bool read_picture(TIFF *tiff, cpicture *picture, void *pixels, size_t room) {
    uint32_t width = 0, height = 0;
    uint16_t bits = 1, samples = 1, form = SAMPLEFORMAT_UINT, meaning = 0, planes = PLANARCONFIG_CONTIG, unit = RESUNIT_INCH;
    uint16_t extras = 0, *kinds = NULL, orientation = 1;
    float x = 0, y = 0;
    picture->page_count = (int)TIFFNumberOfDirectories(tiff);
    if (picture->page > picture->page_count) {
        snprintf(picture->reason, sizeof picture->reason, "there is no page %d: it has only %d page%s", picture->page,
                 picture->page_count, picture->page_count == 1 ? "" : "s");
        return false;
    }
    picture->pixel_size = pixel_size(tiff);
    if (!TIFFSetDirectory(tiff, (tdir_t)(picture->page - 1))) return false;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height)) return false;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &form);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    picture->width = (int)width, picture->height = (int)height;
    picture->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    if (unit != RESUNIT_NONE && TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) && TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y)) {
        double metre = unit == RESUNIT_CENTIMETER ? 0.01 : 0.0254;
        picture->density_x = x / metre, picture->density_y = y / metre;
    }
    uint32_t count = 0;
    void *profile = NULL;
    if (!pixels && TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &count, &profile) && count > 0) {
        picture->profile = malloc(count);
        if (picture->profile) memcpy(picture->profile, profile, count), picture->profile_count = count;
    }
    bool has_meaning = TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &meaning);
    if ((form != SAMPLEFORMAT_UINT && form != SAMPLEFORMAT_VOID) || bits > 16) {
        const char *kind = form == SAMPLEFORMAT_IEEEFP ? "fractions" : form == SAMPLEFORMAT_INT ? "signed numbers" : "numbers";
        snprintf(picture->reason, sizeof picture->reason, "its samples are %s of %d bits; save it with plain numbers of 8 or 16 bits",
                 kind, bits);
        return false;
    }
    if (!has_meaning) {
        snprintf(picture->reason, sizeof picture->reason, "it does not say whether 0 is black or white");
        return false;
    }
    picture->is_converted = meaning == PHOTOMETRIC_SEPARATED || meaning == PHOTOMETRIC_CIELAB || meaning == PHOTOMETRIC_ICCLAB;
    struct layout layout = {
        .depth = bits, .samples = samples, .channels = meaning == PHOTOMETRIC_RGB ? 3 : 1, .width = (int)width,
        .is_inverse = meaning == PHOTOMETRIC_MINISWHITE, .is_premultiplied = extras > 0 && kinds[0] == EXTRASAMPLE_ASSOCALPHA,
    };
    bool has_alpha = extras > 0 && kinds[0] != EXTRASAMPLE_UNSPECIFIED;
    // Further samples, such as the channels of a microscope, are no colours.
    bool is_known = samples == layout.channels || (samples == layout.channels + 1 && has_alpha);
    bool is_plain = (bits == 8 || bits == 16) && is_known && (planes == PLANARCONFIG_CONTIG || samples == 1) &&
                    meaning <= PHOTOMETRIC_RGB;
    picture->depth = is_plain ? bits : 8;
    size_t bytes = (size_t)picture->depth / 8 * 4;
    // libtiff would take a sample of no meaning for alpha, and show 8 of 16 bits.
    bool is_deep = bits == 16 && meaning <= PHOTOMETRIC_RGB && !is_plain;
    if (is_deep || (meaning <= PHOTOMETRIC_RGB && !is_known)) {
        snprintf(picture->reason, sizeof picture->reason, "it has %d samples a pixel%s; save it as grey or RGB", samples,
                 is_known ? " in separate planes" : ", more than colours and alpha");
        return false;
    }
    if (!pixels) return true;
    if (room / bytes / width < height) return false;
    return is_plain ? read_rows(tiff, &layout, (int)height, pixels) : read_others(tiff, (int)width, (int)height, pixels);
}

bool cpicture_read_tiff(cpicture *picture, void *pixels, size_t room) {
    struct memory memory = {.bytes = (uint8_t *)picture->bytes, .count = picture->count};
    current = picture;
    picture->reason[0] = 0;
    TIFF *tiff = opened(&memory, "rm");
    bool is_read = tiff && read_picture(tiff, picture, pixels, room) && !picture->reason[0];
    if (tiff) TIFFClose(tiff);
    current = NULL;
    if (!is_read && !picture->reason[0]) strcpy(picture->reason, "libtiff gives no reason");
    return is_read;
}

void *cpicture_write_tiff(const cpicture *picture, const void *pixels, int channels, const char *description, size_t *count) {
    struct memory memory = {.grows = true};
    // "4" is a classic TIFF, "l" little-endian.
    TIFF *tiff = opened(&memory, "w4l");
    if (!tiff) return NULL;
    size_t row = (size_t)picture->width * (size_t)channels * (size_t)picture->depth / 8;
    uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, picture->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, picture->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, picture->depth);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (channels == 4) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
    if (picture->density_x > 0) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, picture->density_x * 0.0254);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, picture->density_y * 0.0254);
    }
    if (description && *description) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
    if (picture->profile_count > 0) TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)picture->profile_count, picture->profile);
    uint8_t *copy = malloc(row);
    bool is_written = copy != NULL;
    for (int y = 0; is_written && y < picture->height; y += 1) {
        // libtiff changes the row.
        memcpy(copy, (const uint8_t *)pixels + (size_t)y * row, row);
        is_written = TIFFWriteScanline(tiff, copy, (uint32_t)y, 0) >= 0;
    }
    free(copy);
    is_written = is_written && TIFFFlush(tiff);
    TIFFClose(tiff);
    if (is_written) {
        *count = memory.count;
        return memory.bytes;
    }
    free(memory.bytes);
    return NULL;
}
