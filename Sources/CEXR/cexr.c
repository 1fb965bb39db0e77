// This is C, because the library passes functions of variable arguments, for which Swift has no type.
#include "cexr.h"

#include <OpenEXR/openexr.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Keeps the first reason, which is the most precise one.
static bool refuse(cexr_picture *picture, const char *reason, const char *name) {
    if (picture->reason[0] == 0) snprintf(picture->reason, sizeof picture->reason, reason, name);
    return false;
}

static void on_error(exr_const_context_t context, exr_result_t code, const char *message) {
    void *picture = NULL;
    if (exr_get_user_data(context, &picture) == EXR_ERR_SUCCESS && picture) refuse(picture, "%s", message);
}

static int64_t read_bytes(
    exr_const_context_t context, void *user, void *into, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t fail) {
    const cexr_picture *picture = user;
    if (offset >= picture->count) return 0;
    if (count > picture->count - offset) count = picture->count - offset;
    memcpy(into, (const char *)picture->bytes + offset, count);
    return (int64_t)count;
}

static int64_t count_bytes(exr_const_context_t context, void *user) { return (int64_t)((cexr_picture *)user)->count; }

// Which of red, green and blue a channel is: 0, 1, 2; -1 for none. Y is red, until all is read.
static int color_of(const char *name, bool is_grey) {
    static const char *const names[] = {"R", "G", "B"};
    for (int color = 0; color < 3 && !is_grey; color++) {
        if (strcmp(name, names[color]) == 0) return color;
    }
    return is_grey && strcmp(name, "Y") == 0 ? 0 : -1;
}

// Whether all that is needed is there, and in a form that the library reads right: OpenEXRCore 3.1 has no DWA, and gives wrong
// numbers for B44 in tiles and of floats.
static bool check(cexr_picture *picture, exr_const_context_t context, exr_storage_t storage, bool *is_grey) {
    static const char *const unread[] = {"B44", "B44A", "DWAA", "DWAB"};
    const exr_attr_chlist_t *list;
    exr_compression_t compression;
    if (exr_get_channels(context, 0, &list) || exr_get_compression(context, 0, &compression)) return false;
    if (storage > EXR_STORAGE_TILED) return refuse(picture, "it is deep: a pixel has many numbers; save it flat", "");
    if (compression > EXR_COMPRESSION_PXR24) {
        const char *name = compression > EXR_COMPRESSION_DWAB ? "new" : unread[compression - EXR_COMPRESSION_B44];
        return refuse(picture, "its compression is %s; save it with ZIP or PIZ", name);
    }
    int found = 0;
    *is_grey = true;
    for (int index = 0; index < list->num_channels; index++) *is_grey &= color_of(list->entries[index].name.str, false) < 0;
    for (int index = 0; index < list->num_channels; index++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[index];
        if (*is_grey && strcmp(entry->name.str, "RY") == 0) return refuse(picture, "it has chroma; save it as R, G and B", "");
        if (color_of(entry->name.str, *is_grey) < 0) continue;
        if (entry->pixel_type == EXR_PIXEL_UINT || entry->x_sampling != 1 || entry->y_sampling != 1) {
            return refuse(picture, "its channel %s has not a half or a float for each pixel; save it so", entry->name.str);
        }
        found++;
    }
    if (found == (*is_grey ? 1 : 3)) return true;
    const char *first = list->num_channels > 0 ? list->entries[0].name.str : "none";
    return refuse(picture, "it needs the channels R, G and B, or Y alone; its first one is %s", first);
}

// Decodes a block whose first pixel lies here.
static bool decode(
    cexr_picture *picture, exr_const_context_t context, exr_decode_pipeline_t *decoder, const exr_chunk_info_t *chunk,
    bool is_grey, float *pixels, int64_t x, int64_t y) {
    bool is_first = decoder->channels == NULL;
    if (x + chunk->width > picture->width || y + chunk->height > picture->height) return false;
    if ((is_first ? exr_decoding_initialize : exr_decoding_update)(context, 0, chunk, decoder)) return false;
    for (int index = 0; index < decoder->channel_count; index++) {
        exr_coding_channel_info_t *channel = &decoder->channels[index];
        int color = color_of(channel->channel_name, is_grey);
        channel->decode_to_ptr = color < 0 ? NULL : (uint8_t *)(pixels + 3 * (y * picture->width + x) + color);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = 3 * sizeof(float);
        channel->user_line_stride = 3 * sizeof(float) * picture->width;
    }
    if (is_first && exr_decoding_choose_default_routines(context, 0, decoder)) return false;
    return exr_decoding_run(context, 0, decoder) == EXR_ERR_SUCCESS;
}

static bool read_part(
    cexr_picture *picture, exr_const_context_t context, exr_decode_pipeline_t *decoder, float *pixels, size_t room) {
    exr_storage_t storage;
    exr_attr_box2i_t box;
    bool is_grey;
    if (exr_get_storage(context, 0, &storage) || exr_get_data_window(context, 0, &box)) return false;
    if (!check(picture, context, storage, &is_grey)) return false;
    int32_t across = picture->width = box.max.x - box.min.x + 1, down = 0;
    picture->height = box.max.y - box.min.y + 1;
    if (pixels == NULL) return true;
    bool is_tiled = storage == EXR_STORAGE_TILED;
    if (is_tiled ? exr_get_tile_sizes(context, 0, 0, 0, &across, &down) : exr_get_scanlines_per_chunk(context, 0, &down)) return false;
    if (across < 1 || down < 1 || room != 3 * (size_t)picture->width * picture->height) return false;
    for (int64_t y = 0; y < picture->height; y += down) {
        for (int64_t x = 0; x < picture->width; x += across) {
            exr_chunk_info_t chunk;
            if (is_tiled ? exr_read_tile_chunk_info(context, 0, (int)(x / across), (int)(y / down), 0, 0, &chunk)
                         : exr_read_scanline_chunk_info(context, 0, box.min.y + (int)y, &chunk)) return false;
            if (!decode(picture, context, decoder, &chunk, is_grey, pixels, x, y)) return false;
        }
    }
    for (size_t index = 0; is_grey && index < room; index += 3) pixels[index + 1] = pixels[index + 2] = pixels[index];
    return true;
}

bool cexr_read(cexr_picture *picture, float *pixels, size_t room) {
    // The decoder of OpenEXR 3.2 has another form, also where it has the name of 3.1, as in updates of Debian 13.
    int major, minor;
    exr_get_library_version(&major, &minor, NULL, NULL);
    if (major != OPENEXR_VERSION_MAJOR || minor != OPENEXR_VERSION_MINOR) {
        return refuse(picture, "Loupe was built for another OpenEXR than the one here; build it here", "");
    }
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    initializer.user_data = picture;
    initializer.read_fn = read_bytes;
    initializer.size_fn = count_bytes;
    initializer.error_handler_fn = on_error;
    initializer.max_image_width = initializer.max_image_height = 65535;
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_context_t context = NULL;
    bool is_done = exr_start_read(&context, "the picture", &initializer) == EXR_ERR_SUCCESS
        && read_part(picture, context, &decoder, pixels, room);
    if (decoder.channels) exr_decoding_destroy(context, &decoder);
    exr_finish(&context);
    return is_done || refuse(picture, "it is damaged or cut short; save or copy it again", "");
}
