// A page with a loupe: the page, the picture.
#include <math.h>
#include <stdlib.h>
#include <vips/vips.h>

int main(int argc, char **argv) {
    if (VIPS_INIT(argv[0]) || argc != 3) vips_error_exit(NULL);
    const int x = 900, y = 700, r = 300, side = 75, zoom = 4;
    unsigned char *coverage = malloc(4 * r * r);
    for (int i = 0; i < 4 * r * r; i++) {
        double inside = r + 0.5 - hypot(i % (2 * r) + 0.5 - r, i / (2 * r) + 0.5 - r);
        coverage[i] = 255 * VIPS_CLIP(0, inside, 1) + 0.5;
    }
    VipsImage *mask = vips_image_new_from_memory(coverage, 4 * r * r, 2 * r, 2 * r, 1, VIPS_FORMAT_UCHAR);
    VipsArea *area = VIPS_AREA(vips_array_int_newv(4, 0, 0, 2 * r, 2 * r));
    // Not vips_resize, which moves the pixels by an eighth of a texel.
    double centre = (zoom - 1) / 2.0;
    VipsImage *page, *part, *loupe, *below, *disc, *out;
    if (!(page = vips_image_new_from_file(argv[1], NULL)) ||
        vips_extract_area(page, &part, x - side, y - side, 2 * side, 2 * side, NULL) ||
        vips_affine(part, &loupe, zoom, 0, 0, zoom, "odx", centre, "ody", centre, "oarea", area, "extend", VIPS_EXTEND_COPY,
                    "interpolate", vips_interpolate_new("bilinear"), NULL) ||
        vips_extract_area(page, &below, x - r, y - r, 2 * r, 2 * r, NULL) ||
        vips_ifthenelse(mask, loupe, below, &disc, "blend", TRUE, NULL) ||
        vips_insert(page, disc, &out, x - r, y - r, NULL) ||
        vips_pngsave(out, argv[2], "compression", 1, "filter", VIPS_FOREIGN_PNG_FILTER_PAETH, NULL))
        vips_error_exit(NULL);
    return 0;
}
