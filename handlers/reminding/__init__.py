"""Reminders: the card, the list, the ring."""
