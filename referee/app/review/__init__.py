"""Review: an analyzed folder or a match opened again, looked at frame by frame, corrected, and exported."""
