"""Everything with a side effect: command line, files, reports, pages."""
