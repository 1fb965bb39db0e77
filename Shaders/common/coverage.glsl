// A feather one output pixel wide about distance 0 (SPEC 3). distance: pixels, positive inside.
float coverage(float distance) {
    return clamp(distance + 0.5, 0.0, 1.0);
}
