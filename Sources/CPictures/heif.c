#include "loaded.h"

#include <libheif/heif.h>
#include <stdlib.h>
#include <string.h>

// A row of 3 or 4 samples a pixel; those of 10 or 12 bits become 16, and all straight.
static void spread(const void *row, int count, int channels, int depth, uint32_t most, bool is_premultiplied, void *pixels, size_t first) {
    for (int column = 0; column < count; column += 1) {
        uint32_t pixel[4] = {0, 0, 0, most};
        for (int channel = 0; channel < channels; channel += 1) {
            int index = column * channels + channel;
            pixel[channel] = depth == 16 ? ((const uint16_t *)row)[index] : ((const uint8_t *)row)[index];
        }
        for (size_t channel = 0; channel < 4; channel += 1) {
            uint32_t value = is_premultiplied && channel < 3 ? straight(pixel[channel], pixel[3], most) : pixel[channel];
            size_t index = (first + (size_t)column) * 4 + channel;
            if (depth == 16) ((uint16_t *)pixels)[index] = (uint16_t)((value * 65535 + most / 2) / most);
            else ((uint8_t *)pixels)[index] = (uint8_t)value;
        }
    }
}

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The most samples of a track in a file of boxes, such as the frames of a moving AVIF (ISO/IEC 14496-12, 8.7.3); 0 where there is none.
static uint32_t samples(const uint8_t *bytes, size_t count, int depth) {
    static const char *const ways[] = {"moov", "trak", "mdia", "minf", "stbl"};
    uint32_t most = 0;
    while (count >= 8) {
        size_t size = number(bytes), start = 8;
        if (size == 1 && count >= 16) size = (size_t)((uint64_t)number(bytes + 8) << 32 | number(bytes + 12)), start = 16;
        if (size == 0) size = count;
        if (size < start || size > count) return most;
        uint32_t found = 0;
        if (depth < 5 && memcmp(bytes + 4, ways[depth], 4) == 0) found = samples(bytes + start, size - start, depth + 1);
        bool has_sizes = memcmp(bytes + 4, "stsz", 4) == 0 || memcmp(bytes + 4, "stz2", 4) == 0;
        if (depth == 5 && has_sizes && size - start >= 12) found = number(bytes + start + 8);
        if (found > most) most = found;
        bytes += size, count -= size;
    }
    return most;
}

bool cpicture_read_heif(cpicture *picture, void *pixels, size_t room) {
    static bool is_ready = false;
    void *library = loaded(picture, "libheif.so.1", "libheif1");
    if (!library) return false;
    LOAD(library, heif_init);
    LOAD(library, heif_context_alloc);
    LOAD(library, heif_context_free);
    LOAD(library, heif_context_read_from_memory_without_copy);
    LOAD(library, heif_context_get_primary_image_handle);
    LOAD(library, heif_image_handle_get_width);
    LOAD(library, heif_image_handle_get_height);
    LOAD(library, heif_image_handle_get_luma_bits_per_pixel);
    LOAD(library, heif_image_handle_has_alpha_channel);
    LOAD(library, heif_image_handle_is_premultiplied_alpha);
    LOAD(library, heif_image_handle_get_raw_color_profile_size);
    LOAD(library, heif_image_handle_get_raw_color_profile);
    LOAD(library, heif_image_handle_get_nclx_color_profile);
    LOAD(library, heif_nclx_color_profile_free);
    LOAD(library, heif_image_handle_release);
    LOAD(library, heif_decode_image);
    LOAD(library, heif_image_get_width);
    LOAD(library, heif_image_get_height);
    LOAD(library, heif_image_get_bits_per_pixel_range);
    LOAD(library, heif_image_get_plane_readonly);
    LOAD(library, heif_image_release);
    if (!heif_init) {
        picture->is_library_missing = true;
        strcpy(picture->reason, "it needs libheif 1.13 or newer");
        return false;
    }
    // Finds the decoders that are files of their own, as in Debian 13.
    if (!is_ready) heif_init(NULL);
    is_ready = true;
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    struct heif_error error = heif_context_read_from_memory_without_copy(context, picture->bytes, picture->count, NULL);
    if (!error.code) error = heif_context_get_primary_image_handle(context, &handle);
    if (!error.code) {
        picture->width = heif_image_handle_get_width(handle), picture->height = heif_image_handle_get_height(handle);
        picture->depth = heif_image_handle_get_luma_bits_per_pixel(handle) > 8 ? 16 : 8;
        uint32_t frames = samples(picture->bytes, picture->count, 0);
        picture->orientation = 1, picture->page_count = frames > INT32_MAX ? INT32_MAX : frames > 1 ? (int)frames : 1;
        struct heif_color_profile_nclx *colors = NULL;
        heif_image_handle_get_nclx_color_profile(handle, &colors);
        if (colors) picture->primaries = colors->color_primaries, picture->curve = colors->transfer_characteristics;
        heif_nclx_color_profile_free(colors);
        size_t count = heif_image_handle_get_raw_color_profile_size(handle);
        if (count > 0) picture->profile = malloc(count);
        if (picture->profile) picture->profile_count = count;
        if (picture->profile) error = heif_image_handle_get_raw_color_profile(handle, picture->profile);
    }
    bool is_deep = picture->depth == 16;
    // libheif 1.15 adds a wrong alpha to 10 bits that have none.
    bool has_alpha = !error.code && heif_image_handle_has_alpha_channel(handle);
    if (!error.code && pixels) {
        enum heif_chroma deep = has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
        enum heif_chroma plain = has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
        error = heif_decode_image(handle, &image, heif_colorspace_RGB, is_deep ? deep : plain, NULL);
    }
    bool is_read = !error.code;
    // The one of libheif 1.15, the other of 1.19.
    if (error.subcode == heif_suberror_Unsupported_codec || error.code == heif_error_Plugin_loading_error) {
        picture->is_library_missing = true;
        strcpy(picture->reason, "libheif has no decoder for it; install one (Debian 13: apt-get install libheif-plugin-libde265 for a HEIC, "
                                "libheif-plugin-dav1d for an AVIF)");
    } else if (error.code) {
        snprintf(picture->reason, sizeof picture->reason, "%s", error.message);
    } else if (pixels) {
        int row_bytes = 0, width = heif_image_get_width(image, heif_channel_interleaved);
        int height = heif_image_get_height(image, heif_channel_interleaved);
        const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &row_bytes);
        size_t pixel_bytes = is_deep ? 8 : 4;
        is_read = rows && width == picture->width && height == picture->height &&
                  room / pixel_bytes / (size_t)width >= (size_t)height;
        if (!is_read) strcpy(picture->reason, "its pixels are not as many as its header says");
        uint32_t most = is_deep ? (1u << heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)) - 1 : 255;
        for (int y = 0; is_read && y < height; y += 1) {
            spread(rows + (size_t)y * (size_t)row_bytes, width, has_alpha ? 4 : 3, picture->depth, most,
                   has_alpha && heif_image_handle_is_premultiplied_alpha(handle), pixels, (size_t)y * (size_t)width);
        }
    }
    if (image) heif_image_release(image);
    if (handle) heif_image_handle_release(handle);
    heif_context_free(context);
    return is_read;
}
