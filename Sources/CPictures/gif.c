#include "loaded.h"

#include <gif_lib.h>
#include <string.h>

struct source {
    const uint8_t *bytes;
    size_t left;
};

static int read_some(GifFileType *gif, GifByteType *to, int count) {
    struct source *source = gif->UserData;
    if ((size_t)count > source->left) count = (int)source->left;
    memcpy(to, source->bytes, (size_t)count);
    source->bytes += count, source->left -= (size_t)count;
    return count;
}

// The pixels of a frame, on a canvas of transparent ones. An index beyond the palette is transparent, as in browsers.
static bool draw(GifFileType *gif, __typeof__(DGifGetLine) *get_line, const cpicture *picture, int transparent, uint8_t *pixels) {
    static const int firsts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    static GifPixelType row[65536];
    const GifImageDesc *frame = &gif->Image;
    const ColorMapObject *palette = frame->ColorMap ? frame->ColorMap : gif->SColorMap;
    for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass += 1) {
        for (int y = frame->Interlace ? firsts[pass] : 0; y < frame->Height; y += frame->Interlace ? steps[pass] : 1) {
            if (get_line(gif, row, frame->Width) != GIF_OK) return false;
            uint8_t *pixel = pixels + ((size_t)(frame->Top + y) * (size_t)picture->width + (size_t)frame->Left) * 4;
            for (int x = 0; x < frame->Width; x += 1, pixel += 4) {
                if (row[x] == transparent || row[x] >= palette->ColorCount) continue;
                GifColorType color = palette->Colors[row[x]];
                pixel[0] = color.Red, pixel[1] = color.Green, pixel[2] = color.Blue, pixel[3] = 255;
            }
        }
    }
    return true;
}

bool cpicture_read_gif(cpicture *picture, void *pixels, size_t room) {
    void *library = loaded(picture, "libgif.so.7", "libgif7");
    if (!library) return false;
    LOAD(library, DGifOpen);
    LOAD(library, DGifGetRecordType);
    LOAD(library, DGifGetImageDesc);
    LOAD(library, DGifGetLine);
    LOAD(library, DGifGetCode);
    LOAD(library, DGifGetCodeNext);
    LOAD(library, DGifGetExtension);
    LOAD(library, DGifGetExtensionNext);
    LOAD(library, DGifExtensionToGCB);
    LOAD(library, DGifCloseFile);
    LOAD(library, GifErrorString);
    struct source source = {picture->bytes, picture->count};
    GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    const char *problem = NULL;
    int size = 0, code = 0;
    GifFileType *gif = DGifOpen(&source, read_some, &code);
    picture->depth = 8, picture->orientation = 1, picture->page_count = 0;
    bool is_sound = gif != NULL;
    // Some programs leave out the end mark. Pixels are those of the first frame alone; the header counts all.
    while (is_sound && record != TERMINATE_RECORD_TYPE && (source.left > 0 || picture->page_count == 0) &&
           !(pixels && picture->page_count > 0)) {
        GifByteType *block = NULL;
        is_sound = DGifGetRecordType(gif, &record) == GIF_OK;
        if (is_sound && record == EXTENSION_RECORD_TYPE) {
            is_sound = DGifGetExtension(gif, &code, &block) == GIF_OK;
            if (block && code == GRAPHICS_EXT_FUNC_CODE) DGifExtensionToGCB(block[0], block + 1, &control);
            while (is_sound && block) is_sound = DGifGetExtensionNext(gif, &block) == GIF_OK;
        } else if (is_sound && record == IMAGE_DESC_RECORD_TYPE) {
            is_sound = DGifGetImageDesc(gif) == GIF_OK;
            const GifImageDesc *frame = &gif->Image;
            if (is_sound && picture->page_count == 0) {
                // A first frame that reaches beyond the canvas enlarges it, as in browsers.
                int right = frame->Left + frame->Width, bottom = frame->Top + frame->Height;
                picture->width = right > gif->SWidth ? right : gif->SWidth;
                picture->height = bottom > gif->SHeight ? bottom : gif->SHeight;
                if (frame->Width < 1 || frame->Height < 1) problem = "its first frame has no pixels";
                else if (!frame->ColorMap && !gif->SColorMap) problem = "it has no palette";
                else if (pixels && room / 4 / (size_t)picture->width < (size_t)picture->height) problem = "it has changed";
                is_sound = !problem;
            }
            picture->page_count += 1;
            if (is_sound && pixels) is_sound = draw(gif, DGifGetLine, picture, control.TransparentColor, pixels);
            if (is_sound && !pixels) is_sound = DGifGetCode(gif, &size, &block) == GIF_OK;
            while (is_sound && block) is_sound = DGifGetCodeNext(gif, &block) == GIF_OK;
        } else if (is_sound && record == TERMINATE_RECORD_TYPE && picture->page_count == 0) {
            problem = "it has no frame", is_sound = false;
        }
    }
    if (!is_sound) {
        if (!problem) problem = GifErrorString(gif ? gif->Error : code);
        snprintf(picture->reason, sizeof picture->reason, "%s", problem ? problem : "giflib gives no reason");
    }
    if (gif) DGifCloseFile(gif, &code);
    return is_sound;
}
