"""A Bot API emulator over HTTP with a chat page, a program apart that imports nothing of ours."""
