// How much of a pixel lies inside a border: a feather one output pixel wide (specification, section 1).
// distance: from the pixel's centre to the border, in pixels, positive inside. Returns 0…1.
float coverage(float distance) {
    return clamp(distance + 0.5, 0.0, 1.0);
}
