"""The public benchmark: predictions, scores and speed."""
