"""What is said, as values: voices, replies, outcomes, pages; pure."""
