// The complementary error function, by Abramowitz and Stegun 7.1.26; its error is at most 1.5e-7.
float complementaryError(float x) {
    float t = 1.0 / (1.0 + 0.3275911 * abs(x));
    float series =
        t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    float tail = series * exp(-x * x);
    return x < 0.0 ? 2.0 - tail : tail;
}
