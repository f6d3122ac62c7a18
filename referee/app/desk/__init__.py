"""The running match: its log on disk, what is announced, what is asked, and what those who look on are shown."""
