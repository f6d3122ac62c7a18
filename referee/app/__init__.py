"""Everything with a side effect: command line, files, reports, pages."""

import os

# All matrices here are small: threads of BLAS would only wait for each other, a quarter of the time of an analysis.
# It reads this when NumPy is loaded, which nothing before this package does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
