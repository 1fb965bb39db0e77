"""The number of pixels that differ and are not antialiased: the two pictures."""
import os
import sys

# Its own reader of PNGs is the faster one.
os.environ["BLAZEDIFF_PNG_ENABLED"] = "1"
import blazediff

print("differingPixels:", blazediff.compare(sys.argv[1], sys.argv[2], antialiasing=True).diff_count)
