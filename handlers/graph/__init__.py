"""Facts: told, listed, drawn, and offered beside what was kept."""
