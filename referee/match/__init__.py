"""The match: an append-only log of records and inputs, folded into verdicts."""
