"""A Bot API emulator over HTTP with a chat page; a separate program that imports nothing of ours."""
