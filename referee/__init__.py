"""What it means: the rules, the match, and the programs that people use."""
