"""Memory that several people read: its audience, its cards, its admins."""
