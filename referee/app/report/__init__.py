"""``report.html``: one page that opens offline, with every shot drawn, judged and explained."""
